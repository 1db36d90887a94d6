"""Makes an account for every name in a file: sudo python3 hub/accounts.py students.txt > passwords.txt

The file has one name a line, in small letters. Who has an account already keeps it, and gets no new password.
For teachers: sudo python3 hub/accounts.py --group mha-teachers teachers.txt
"""

import argparse
import pwd
import re
import secrets
import subprocess
import sys
from pathlib import Path

GROUPS = ("mha-students", "mha-teachers")
NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another


def main():
    """Make the accounts that are missing, and print a name and a password for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", type=Path, help="a file with one name a line")
    parser.add_argument("--group", default=GROUPS[0], choices=GROUPS)
    given = parser.parse_args()
    names = read(given.names)
    for group in GROUPS:  # the hub looks for both
        subprocess.run(["groupadd", "--force", group], check=True)
    for name in names:
        if is_there(name):
            subprocess.run(["usermod", "--append", "--groups", given.group, name], check=True)
            print(f"{name} has an account already: now in {given.group}, with the same password.", file=sys.stderr)
        else:
            print(f"{name}\t{make(name, given.group)}", flush=True)


def read(path):
    """Return the names in a file. Errors: ends with a sentence if one cannot be an account's."""
    names = path.read_text(encoding="utf-8").split()
    wrong = [name for name in names if not NAME.fullmatch(name)]
    if wrong:
        sys.exit(f"No account was made. These cannot be names (a to z, 0 to 9, - and _ only): {', '.join(wrong)}")
    return names


def is_there(name):
    """Whether the machine knows an account of that name."""
    return any(each.pw_name == name for each in pwd.getpwall())


def make(name, group):
    """Make an account whose home nobody else can read, and return its password."""
    command = ["useradd", "--create-home", "--shell", "/bin/bash", "--groups", group, name]
    subprocess.run(command, check=True)
    Path(f"~{name}").expanduser().chmod(0o700)
    password = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))
    subprocess.run(["chpasswd"], input=f"{name}:{password}", text=True, check=True)
    return password


if __name__ == "__main__":
    main()
