"""Who may sign in: people of another pool, and those whom an administrator lets in."""

import base64
import http.server
import json
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

from people_test import BOOKS, PASSWORD, Site

NOTES = "/api/notes/v1"


def encode(data):
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


class Pool:
    """A pool of Cognito's kind: a key, its set at the usual address, and tokens."""

    def __init__(self, folder):
        self.key = str(pathlib.Path(folder) / "pool.pem")
        command = ["openssl", "genrsa", "-out", self.key, "2048"]
        subprocess.run(command, check=True, capture_output=True)
        modulus = self.openssl("rsa", "-in", self.key, "-modulus", "-noout")
        number = bytes.fromhex(modulus.decode().strip().removeprefix("Modulus="))
        key = {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "k1", "e": "AQAB"}
        self.key_set = json.dumps({"keys": [key | {"n": encode(number)}]}).encode()
        self.asked = []
        pool = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                pool.asked.append(self.path)
                self.send_response(200 if self.path == "/pool/.well-known/jwks.json" else 404)
                self.send_header("Content-Length", str(len(pool.key_set)))
                self.end_headers()
                self.wfile.write(pool.key_set)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}/pool"

    def openssl(self, *arguments, data=b""):
        return subprocess.run(
            ["openssl", *arguments], input=data, check=True, capture_output=True
        ).stdout

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def token(self, use="access", client="web", **changes):
        now = int(time.time())
        claims = {
            "sub": "7b0c6f0a-90f4-4a7a-8f6a-5b3f6d1c0001",
            "iss": self.issuer,
            "token_use": use,
            "auth_time": now,
            "iat": now,
            "exp": now + 600,
            "jti": "j",
        }
        if use == "access":
            claims |= {"client_id": client, "username": "u", "scope": "openid"}
        else:
            claims |= {"aud": client, "cognito:username": "u"}
        claims |= changes
        text = f"{encode({'alg': 'RS256', 'kid': 'k1'})}.{encode(claims)}"
        signature = self.openssl("dgst", "-sha256", "-sign", self.key, data=text.encode())
        return f"{text}.{encode(signature)}"


class Issuers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.pool = cls.enterClassContext(Pool(folder))
        flags = ("--issuer", cls.pool.issuer + "/", "--client-id", "web,phone")
        cls.site = cls.enterClassContext(Site(*flags, apps="books,notes"))

    def status(self, path, token, **headers):
        return self.site.ask("GET", path, token=token, **headers).status

    def test_tokens_of_the_pool_are_believed(self):
        for client in ("web", "phone"):
            self.assertEqual(self.status(f"{BOOKS}/books", self.pool.token(client=client)), 200)
        body = {"title": "Emma"}
        made = self.site.ask("POST", f"{BOOKS}/books", body, token=self.pool.token())
        self.assertEqual(made.status, 201, made.text)
        self.assertEqual(set(self.pool.asked), {"/pool/.well-known/jwks.json"})
        self.assertLessEqual(len(self.pool.asked), 2)

    def test_other_tokens_are_not(self):
        for wrong in (
            self.pool.token(client="other"),
            self.pool.token(iss=self.pool.issuer + "/"),
            self.pool.token(use="id"),
            self.pool.token(exp=int(time.time()) - 100),
            self.pool.token()[:-8] + "AAAAAAAA",
        ):
            self.assertEqual(self.status(f"{BOOKS}/books", wrong), 401)

    def test_people_of_this_server_sign_in_as_before(self):
        token = self.site.join("ann").json["accessToken"]
        self.assertEqual(self.status(f"{BOOKS}/books", token), 200)

    def test_an_id_token_says_the_address(self):
        sub = "7b0c6f0a-90f4-4a7a-8f6a-5b3f6d1c0002"
        access = self.pool.token(sub=sub)
        self.assertEqual(self.status(f"{NOTES}/notes", access), 403)
        claims = {"sub": sub, "email": "zoe@example.org", "name": "Zoe"}
        unverified = self.pool.token("id", email_verified=False, **claims)
        self.assertEqual(self.status(f"{NOTES}/notes", access, Id_Token=unverified), 403)
        other = self.pool.token("id", email_verified=True, **(claims | {"sub": "somebody"}))
        self.assertEqual(self.status(f"{NOTES}/notes", access, Id_Token=other), 401)
        named = self.pool.token("id", email_verified=True, **claims)
        self.assertEqual(self.status(f"{NOTES}/notes", access, Id_Token=named), 200)
        # From now on the profile knows.
        me = self.site.ask("GET", f"{NOTES}/me", token=access)
        self.assertEqual((me.status, me.json["email"]), (200, "zoe@example.org"), me.text)


class SignUp(unittest.TestCase):
    def sign_up(self, site, name):
        person = {"email": f"{name}@example.org", "password": PASSWORD, "name": name}
        answer = site.ask("POST", "/auth/v1/signup", person)
        self.assertEqual(answer.status, 201, answer.text)
        return answer.json

    def log_in(self, site, name, password=PASSWORD):
        person = {"email": f"{name}@example.org", "password": password}
        return site.ask("POST", "/auth/v1/login", person)

    def test_an_administrator_lets_people_in(self):
        with tempfile.TemporaryDirectory() as folder:
            admins = pathlib.Path(folder) / "admins"
            admins.write_text("root@example.org a very long secret\n")
            admins.chmod(0o600)
            with Site("--sign-up", "approval", "--admins", str(admins)) as site:
                person = self.sign_up(site, "ann")
                self.assertEqual(person["status"], "PENDING_APPROVAL")
                self.assertEqual(self.log_in(site, "ann").json["code"], "account-pending")
                root = self.log_in(site, "root", "a very long secret")
                self.assertEqual(root.status, 200, root.text)
                token = root.json["accessToken"]
                path = f"/auth/v1/users/{person['sub']}/approve"
                self.assertEqual(site.ask("POST", path, token=token).status, 200)
                self.assertEqual(self.log_in(site, "ann").status, 200)

    def test_a_code_is_mailed(self):
        with tempfile.TemporaryDirectory() as folder:
            with Site("--sign-up", "code", folder=folder) as site:
                self.assertEqual(self.sign_up(site, "ann")["status"], "UNCONFIRMED")
                self.assertEqual(self.log_in(site, "ann").status, 403)
                mail = json.loads((pathlib.Path(folder) / "mail.log").read_text().splitlines()[-1])
                self.assertEqual(mail["to"], "ann@example.org")
                code = next(w for w in mail["text"].split() if w.strip(".").isdigit()).strip(".")
                body = {"email": "ann@example.org", "code": code}
                self.assertEqual(site.ask("POST", "/auth/v1/confirm", body).status, 204)
                self.assertEqual(self.log_in(site, "ann").status, 200)

    def test_a_file_that_others_can_read_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            admins = pathlib.Path(folder) / "admins"
            admins.write_text("root@example.org a very long secret\n")
            admins.chmod(0o644)
            with self.assertRaisesRegex(RuntimeError, "chmod 600"):
                Site("--admins", str(admins)).__enter__()


if __name__ == "__main__":
    unittest.main()
