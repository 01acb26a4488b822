"""TLS as a stranger meets it: versions, ciphers, a certificate that changes under load.

    tests/fault/tls_test.py [HUNDREDS OF HANDSHAKES]

Runs testssl.sh too where Debian's package is installed.
"""

import json
import pathlib
import shutil
import signal
import ssl
import socket
import subprocess
import tempfile
import threading
import unittest

from client import Server, main, wait_until

GRAVE = {"MEDIUM", "HIGH", "CRITICAL"}
# Of any certificate that is not signed by a public authority, and of a host that is no web site.
EXPECTED = {
    "cert_trust",
    "cert_chain_of_trust",
    "cert_revocation",
    "cert_caIssuers",
    "DNS_CAArecord",
    "overall_grade",
    "HSTS",
    "security_headers",
    "OCSP_stapling",
    "BREACH",
}


def make_certificate(folder: pathlib.Path, name: str):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90"]
        + ["-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        + ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
        check=True,
        capture_output=True,
    )


class Tls(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="trestle-tls-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        make_certificate(self.folder, "first")
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        flags = ["--tls-cert", str(certificate), "--tls-key", str(key)]
        self.server = self.enterContext(Server(*flags))

    def shakes_hands(self, *flags: str) -> bool:
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{self.server.port}", *flags]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False
        )
        return b"Cipher is (NONE)" not in done.stdout and done.returncode == 0

    def test_only_new_versions(self):
        self.assertTrue(self.shakes_hands("-tls1_3"))
        self.assertTrue(self.shakes_hands("-tls1_2"))
        for version in ("-tls1_1", "-tls1"):
            self.assertFalse(self.shakes_hands(version, "-cipher", "ALL:@SECLEVEL=0"), version)

    def test_only_good_ciphers(self):
        for kind in ("aNULL", "eNULL", "RC4", "3DES", "MD5", "EXPORT", "kRSA", "CBC", "PSK"):
            flags = ("-tls1_2", "-cipher", f"{kind}:@SECLEVEL=0")
            self.assertFalse(self.shakes_hands(*flags), kind)

    def name_of_certificate(self) -> str:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
            with context.wrap_socket(connection) as session:
                session.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if not session.recv(1000).startswith(b"HTTP/1.1 200"):
                    raise AssertionError("no answer")
                return "second" if b"second" in session.getpeercert(binary_form=True) else "first"

    def test_a_new_certificate_under_load(self):
        names, errors = [], []

        def shake_hands():
            for _ in range(25 * self.rounds):
                try:
                    names.append(self.name_of_certificate())
                except (OSError, AssertionError) as error:
                    errors.append(repr(error))

        threads = [threading.Thread(target=shake_hands) for _ in range(4)]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(names) > 10, 20, "handshakes")
        make_certificate(self.folder, "second")
        self.server.process.send_signal(signal.SIGHUP)
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(self.name_of_certificate(), "second")
        print(f"tls: {len(names)} handshakes across a reload, 0 failed", flush=True)

    def test_testssl(self):
        program = shutil.which("testssl") or shutil.which("testssl.sh")
        if not program:
            self.skipTest("testssl.sh is not installed")
        if self.rounds < 10:
            self.skipTest("takes minutes: only in the long form")
        report = self.folder / "report.json"
        command = [program, "--quiet", "--warnings", "off", "--jsonfile", report]
        command += ["--ip", "127.0.0.1", f"localhost:{self.server.port}"]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        findings = json.loads(report.read_text())
        self.assertGreater(len(findings), 50, "void: it did not look")
        grave = [
            f"{found['id']}: {found['finding']}"
            for found in findings
            if found["severity"] in GRAVE and found["id"].split(" ")[0] not in EXPECTED
        ]
        self.assertEqual(grave, [])
        print(f"testssl: {len(findings)} findings, none of medium or worse", flush=True)


if __name__ == "__main__":
    main(__doc__)
