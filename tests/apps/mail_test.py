"""Mails over SMTP, to a small server of our own."""

import base64
import email
import email.policy
import os
import pathlib
import queue
import socketserver
import ssl
import subprocess
import tempfile
import threading
import unittest

from people_test import PASSWORD, Site

WAIT_SECONDS = 30
USER, SECRET = "mailer", "a secret"


class SmtpServer(socketserver.ThreadingTCPServer):
    """Takes mails; the first `refusals` it refuses for now."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, tls=None, refusals=0):
        super().__init__(("127.0.0.1", 0), SmtpHandler)
        self.tls = tls
        self.refusals = refusals
        self.mails = queue.Queue()
        self.seen = []  # commands, those before TLS with a star

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def place(self):
        return f"127.0.0.1:{self.server_address[1]}"

    def next(self):
        """The next mail: its recipient, and what it says."""
        to, text = self.mails.get(timeout=WAIT_SECONDS)
        return to, email.message_from_bytes(text, policy=email.policy.default)


class SmtpHandler(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def encrypt(self):
        self.say("220 go ahead")
        self.connection = self.server.tls.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)
        self.is_encrypted = True

    def take(self, to):
        self.say("354 end with a dot")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line[1:] if line.startswith(b"..") else line)
        self.server.mails.put((to, b"".join(lines)))
        self.say("250 taken")

    def handle(self):
        self.is_encrypted = False
        to = None
        self.say("220 test")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            self.server.seen.append(line if self.is_encrypted else "*" + line)
            if word == "EHLO":
                offers = ["AUTH PLAIN"] if self.is_encrypted or not self.server.tls else []
                if self.server.tls and not self.is_encrypted:
                    offers.append("STARTTLS")
                lines = ["test", *offers]
                for each in lines[:-1]:
                    self.say(f"250-{each}")
                self.say(f"250 {lines[-1]}")
            elif word == "STARTTLS":
                self.encrypt()
            elif word == "RCPT":
                if self.server.refusals > 0:
                    self.server.refusals -= 1
                    self.say("451 later")
                    continue
                to = line.split("<")[1].rstrip(">")
                self.say("250 ok")
            elif word == "DATA":
                self.take(to)
            elif word == "QUIT":
                self.say("221 bye")
                return
            elif word == "AUTH":
                if len(line.split()) == 2:
                    self.say("334 ")
                    self.server.seen.append(self.rfile.readline().decode().strip())
                self.say("235 ok")
            else:
                self.say("250 ok")


def sign_up(site, name):
    person = {"email": f"{name}@example.org", "password": PASSWORD, "name": name}
    return site.ask("POST", "/auth/v1/signup", person)


def code_in(message):
    words = message.get_content().replace(".", " ").split()
    return next(word for word in words if len(word) == 6 and word.isdigit())


class Mails(unittest.TestCase):
    def test_a_code_arrives(self):
        with SmtpServer() as smtp:
            flags = ("--smtp-server", smtp.place, "--mail-from", "trestle@example.org")
            with Site("--sign-up", "code", *flags) as site:
                self.assertEqual(sign_up(site, "ann").status, 201)
                to, message = smtp.next()
                self.assertEqual((to, message["To"]), ("ann@example.org", "ann@example.org"))
                self.assertEqual(message["From"], "trestle@example.org")
                self.assertTrue(message["Subject"])
                self.assertTrue(message["Date"].datetime)
                body = {"email": "ann@example.org", "code": code_in(message)}
                self.assertEqual(site.ask("POST", "/auth/v1/confirm", body).status, 204)

    def test_a_server_that_is_busy_gets_it_again(self):
        with SmtpServer(refusals=1) as smtp:
            flags = ("--smtp-server", smtp.place, "--mail-from", "trestle@example.org")
            with Site("--sign-up", "code", *flags) as site:
                self.assertEqual(sign_up(site, "ann").status, 201)
                self.assertEqual(smtp.next()[0], "ann@example.org")

    def test_passwords_are_sent_over_tls_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = f"{folder}/cert.pem", f"{folder}/key.pem"
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key]
                + ["-out", certificate, "-subj", "/CN=test", "-days", "2"]
                + ["-addext", "subjectAltName=IP:127.0.0.1"],
                check=True,
                capture_output=True,
            )
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate, key)
            login = pathlib.Path(folder) / "login"
            login.write_text(f"{USER} {SECRET}\n")
            login.chmod(0o600)
            os.environ["AWS_CA_BUNDLE"] = certificate
            self.addCleanup(os.environ.pop, "AWS_CA_BUNDLE")
            with SmtpServer(tls=tls) as smtp:
                flags = ("--smtp-server", smtp.place, "--mail-from", "trestle@example.org")
                with Site("--sign-up", "code", *flags, "--smtp-login", str(login)) as site:
                    sign_up(site, "ann")
                    self.assertEqual(smtp.next()[0], "ann@example.org")
                plain = [line for line in smtp.seen if line.startswith("*")]
                self.assertLessEqual({line.split()[0] for line in plain}, {"*EHLO", "*STARTTLS"})
                sent = base64.b64encode(f"\0{USER}\0{SECRET}".encode()).decode()
                self.assertTrue(any(sent in line for line in smtp.seen), smtp.seen)


if __name__ == "__main__":
    unittest.main()
