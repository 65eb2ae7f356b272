"""Numbered builds in a folder and a pointer to the live one: readers see the old build or the new one."""

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from data_agent.errors import IndexMismatch, IndexMissing
from data_agent.ports.recall import IndexStamp
from repositories.embedded.errors import translated

CURRENT = "CURRENT"
MEND = "data-agent index"


class Builds:
    """The builds of one index under `folder`; `what` names the index to people."""

    def __init__(self, folder: Path, what: str) -> None:
        self.folder = folder
        self.what = what

    def live(self) -> Path | None:
        """The folder of the live build, or None when nothing was ever published."""
        try:
            name = (self.folder / CURRENT).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None
        return self.folder / name

    def stamp(self) -> IndexStamp | None:
        """What the live build was made from."""
        live = self.live()
        return read_stamp(live) if live else None

    def demand(self) -> Path:
        """The live build.

        Raises:
            IndexMissing: nothing was published yet.
        """
        live = self.live()
        if live is None:
            raise IndexMissing(f"the {self.what} is empty: nothing has been indexed yet", hint=f"run: {MEND}")
        return live

    @contextmanager
    def building(self, stamp: IndexStamp) -> Iterator[Path]:
        """A fresh folder to build in; it becomes the live one when the block ends well, and is removed when not."""
        build = self.folder / f"build-{uuid.uuid4().hex[:12]}"
        with translated(self.what, self.folder):
            build.mkdir(parents=True)
        try:
            yield build
            with translated(self.what, self.folder):
                write_stamp(build, stamp)
                self.publish(build)
        except BaseException:
            shutil.rmtree(build, ignore_errors=True)
            raise

    def publish(self, build: Path) -> None:
        """Point CURRENT to `build` in one rename and remove the builds before the last one."""
        before = self.live()
        pointer = self.folder / f"{CURRENT}.{build.name}"
        with pointer.open("w", encoding="utf-8") as out:
            out.write(build.name)
            out.flush()
            os.fsync(out.fileno())
        pointer.replace(self.folder / CURRENT)
        self.clean(keep={build, before})

    def clean(self, keep: set[Path | None]) -> None:
        """Remove the other builds; the one before stays, because a reader may just be opening it."""
        for old in self.folder.glob("build-*"):
            if old not in keep:
                shutil.rmtree(old, ignore_errors=True)
        for pointer in self.folder.glob(f"{CURRENT}.*"):
            with suppress(OSError):
                pointer.unlink()


def link_tree(source: Path, target: Path) -> None:
    """The files of one folder in another, shared where the file system can share; both must only ever replace them."""
    target.mkdir()
    for file in source.iterdir():
        if file.suffix == ".lock":
            continue
        try:
            os.link(file, target / file.name)
        except OSError:
            shutil.copyfile(file, target / file.name)


def read_stamp(build: Path) -> IndexStamp:
    """The stamp of a build."""
    return IndexStamp.model_validate_json((build / "stamp.json").read_text(encoding="utf-8"))


def write_stamp(build: Path, stamp: IndexStamp) -> None:
    """Put the stamp beside the build, unless the builder wrote a better one itself."""
    path = build / "stamp.json"
    if not path.exists():
        path.write_text(json.dumps(stamp.model_dump()), encoding="utf-8")


def check_model(stamp: IndexStamp, model: str, dimension: int, what: str) -> None:
    """Refuse an index that another embedding model made.

    Raises:
        IndexMismatch: model or dimension differ; both are named.
    """
    if (stamp.model, stamp.dimension) != (model, dimension):
        raise IndexMismatch(
            f"the {what} was made with {stamp.model} ({stamp.dimension} numbers a text), "
            f"but the embedding model now is {model} ({dimension})",
            hint=f"index again with the present model: {MEND}; or set the model back",
        )
