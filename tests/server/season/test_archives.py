"""What a stranger hands in is copied within bounds, or refused with a reason."""

import gzip
import io
import os
import stat
import tarfile
import zipfile
from contextlib import suppress

import pytest

from croupier.server.season.archives import MOST_PACKED, Refused, digest, take

PROGRAM = b"print('hello')\n"


def zipped(path, *members, method=zipfile.ZIP_DEFLATED):
    """Write a .zip of (name, content, mode) members."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content, mode in members:
            member = zipfile.ZipInfo(name)
            member.external_attr, member.compress_type = mode << 16, method
            archive.writestr(member, content)
    return path


def tarred(path, *members):
    """Write a .tar or .tar.gz of (name, content, changes of the header) members."""
    with tarfile.open(path, "w:gz" if path.suffix != ".tar" else "w") as archive:
        for name, content, changes in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for key, value in changes.items():
                setattr(member, key, value)
            archive.addfile(member, io.BytesIO(content))
    return path


def files(folder):
    """Return the content of each file below a folder, by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["ann.zip", "ann.tar", "ann.tar.gz", "ann.tgz", "ANN.ZIP"])
def test_an_archive_is_unpacked(tmp_path, name):
    """With its folders, without what a system has put beside them. Of a mode only the right to run stays."""
    packed = tmp_path / name
    if name.lower().endswith(".zip"):
        zipped(packed, ("ann/bot.sh", PROGRAM, 0o104755), ("ann/data/x", b"1", 0), ("__MACOSX/ann/bot.sh", b"", 0))
    else:
        tarred(packed, ("./ann/bot.sh", PROGRAM, {"mode": 0o4755}), ("ann/data/x", b"1", {}), ("ann/.git/x", b"", {}))
    take(packed, tmp_path / "out")
    assert files(tmp_path / "out") == {"ann/bot.sh": PROGRAM, "ann/data/x": b"1"}
    modes = [stat.S_IMODE((tmp_path / "out" / "ann" / each).stat().st_mode) for each in ("bot.sh", "data/x")]
    assert modes == [0o755, 0o644]


def test_a_folder_is_copied(tmp_path):
    """With the files of its folders, without hidden ones."""
    (tmp_path / "ann" / "lib").mkdir(parents=True)
    (tmp_path / "ann" / "lib" / "x.py").write_bytes(PROGRAM)
    (tmp_path / "ann" / ".git").mkdir()
    (tmp_path / "ann" / ".git" / "config").write_text("")
    take(tmp_path / "ann", tmp_path / "out")
    assert files(tmp_path / "out") == {"lib/x.py": PROGRAM}


def refusals(folder):
    """Yield archives that nobody may unpack, each with a part of the reason."""
    plain, link = stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777
    yield zipped(folder / "up.zip", ("../x", PROGRAM, plain)), "leads out"
    yield zipped(folder / "within.zip", ("a/../../x", PROGRAM, plain)), "leads out"
    yield zipped(folder / "root.zip", ("/etc/x", PROGRAM, plain)), "no path within"
    yield zipped(folder / "drive.zip", ("C:/x", PROGRAM, plain)), "no path within"
    yield zipped(folder / "back.zip", ("..\\x", PROGRAM, plain)), "no path within"
    yield zipped(folder / "link.zip", ("x", b"/etc/passwd", link)), "link"
    yield zipped(folder / "pipe.zip", ("x", b"", stat.S_IFIFO | 0o644)), "no plain file"
    yield zipped(folder / "twice.zip", ("x", b"1", plain), ("./x", b"2", plain)), "twice"
    yield zipped(folder / "both.zip", ("x", b"1", plain), ("x/y", b"2", plain)), "twice"
    yield zipped(folder / "deep.zip", ("x/" * 20 + "y", b"", plain)), "too deep"
    yield zipped(folder / "long.zip", ("x" * 300, b"", plain)), "too long"
    yield zipped(folder / "bell.zip", ("x\a", b"", plain)), "not printable"
    yield zipped(folder / "many.zip", *((f"{number}", b"", plain) for number in range(2001))), "2000 files"
    yield zipped(folder / "zeros.zip", ("x", bytes(3 << 20), plain)), "100 times"
    yield zipped(folder / "big.zip", ("x", (os.urandom(8 << 10) + bytes(24 << 10)) * 2100, plain)), "64 MiB"
    yield zipped(folder / "lzma.zip", ("x", PROGRAM, plain), method=zipfile.ZIP_LZMA), "ordinary zip"
    yield zipped(folder / "empty.zip"), "no file"
    yield tarred(folder / "up.tar", ("../x", PROGRAM, {})), "leads out"
    yield tarred(folder / "root.tar", ("/etc/x", PROGRAM, {})), "no path within"
    yield tarred(folder / "link.tar", ("x", b"", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"})), "link"
    yield tarred(folder / "hard.tar", ("x", b"", {"type": tarfile.LNKTYPE, "linkname": "/etc/passwd"})), "link"
    yield tarred(folder / "device.tar", ("x", b"", {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 5})), "no plain"
    yield tarred(folder / "pipe.tar", ("x", b"", {"type": tarfile.FIFOTYPE})), "no plain file"
    yield tarred(folder / "zeros.tgz", ("x", bytes(3 << 20), {})), "100 times"
    yield tarred(folder / "folders.tgz", *((f"{n}", b"", {"type": tarfile.DIRTYPE}) for n in range(150_000))), "64 MiB"
    for name in ("junk.zip", "junk.tar", "junk.tgz"):
        (folder / name).write_bytes(b"junk" * 1000)
        yield folder / name, "damaged"
    whole = tarred(folder / "whole.tgz", ("x", os.urandom(5000), {})).read_bytes()
    (folder / "half.tgz").write_bytes(whole[:3000])
    yield folder / "half.tgz", "damaged"


def test_what_nobody_may_unpack_is_refused(tmp_path):
    """Nothing of it lies outside of the folder, and no link lies within."""
    inside = tmp_path / "inside"
    inside.mkdir()
    for number, (packed, why) in enumerate(refusals(tmp_path)):
        with pytest.raises(Refused) as refused:
            take(packed, inside / str(number) / "out")
        assert why in str(refused.value), packed.name
        assert "\n" not in str(refused.value)
        assert {path.name for path in (inside / str(number)).iterdir()} == {"out"}
    assert not any(path.is_symlink() or path.is_fifo() for path in inside.rglob("*"))


def test_a_headers_size_does_not_fill_the_memory(tmp_path):
    """A long name of a gigabyte is read as far as a whole submission may go."""
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
    with gzip.open(tmp_path / "long.tgz", "wb") as packed:
        packed.write(member.tobuf(tarfile.GNU_FORMAT))
        for _ in range(80):
            packed.write(bytes(1 << 20))
    with pytest.raises(Refused, match="64 MiB"):
        take(tmp_path / "long.tgz", tmp_path / "out")


def test_spoilt_archives_are_refused_or_unpacked(tmp_path):
    """Whatever byte of an archive is changed, nothing but a reason comes out."""
    members = [(f"{number}/x", os.urandom(200), stat.S_IFREG | 0o644) for number in range(4)]
    whole = zipped(tmp_path / "whole.zip", *members).read_bytes()
    tar = tarred(tmp_path / "whole.tar", *((name, content, {}) for name, content, _ in members)).read_bytes()
    tried = 0
    for name, data in (("spoilt.zip", whole), ("spoilt.tar", tar)):
        for place in range(0, len(data), 7):
            spoilt = bytearray(data)
            spoilt[place] ^= 0xFF
            (tmp_path / name).write_bytes(spoilt)
            with suppress(Refused):
                take(tmp_path / name, tmp_path / "spoilt" / str(tried))
            tried += 1
    assert tried > 500


@pytest.mark.parametrize("how", ["link", "folder", "pipe"])
def test_a_folder_with_a_link_is_refused(tmp_path, how):
    """To a file, to a folder, or a pipe, which would wait forever; its hash cannot be told either."""
    (tmp_path / "ann").mkdir()
    place = tmp_path / "ann" / "x"
    if how == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/etc/passwd" if how == "link" else "/etc")
    with pytest.raises(Refused, match="link or no plain file"):
        take(tmp_path / "ann", tmp_path / "out")
    with pytest.raises(Refused, match="link or no plain file"):
        digest(tmp_path / "ann")


def test_a_hash_changes_with_names_contents_and_modes(tmp_path):
    """But not with times, nor with what is left out."""
    place = tmp_path / "ann"
    place.mkdir()
    (place / "x").write_text("1")
    first = digest(place)
    os.utime(place / "x", (1, 1))
    (place / ".hidden").write_text("")
    assert digest(place) == first
    (place / "x").chmod(0o755)
    second = digest(place)
    (place / "x").rename(place / "y")
    third = digest(place)
    (place / "y").write_text("2")
    assert len({first, second, third, digest(place)}) == 4


def test_an_archive_may_not_be_large(tmp_path):
    """Because the list of its files is in memory as a whole."""
    (tmp_path / "large.zip").touch()
    os.truncate(tmp_path / "large.zip", MOST_PACKED + 1)
    with pytest.raises(Refused, match="more than 32 MiB"):
        digest(tmp_path / "large.zip")
