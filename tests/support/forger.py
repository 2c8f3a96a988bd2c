"""A forger: somebody with a tournament's whole folder changes it, and recomputes all possible hashes."""

import gzip
import hashlib
import json
import re
import sqlite3
from contextlib import closing

from croupier.server.tournaments.keeping import rows
from croupier.server.tournaments.keeping.chain import Link


def change(folder, statement, *values):
    """Change the store; return what it answers."""
    with closing(sqlite3.connect(folder / "tournament.db")) as db, db:
        return db.execute(statement, values).fetchall()


def text(folder, number=1):
    """Return the records of a batch."""
    ((file,),) = change(folder, "SELECT file FROM batches WHERE number = ?", number)
    return gzip.decompress((folder / "records" / file).read_bytes()).decode()


def write(folder, content, number=1):
    """Put other records in a batch's place, with their checksum."""
    ((file,),) = change(folder, "SELECT file FROM batches WHERE number = ?", number)
    packed = gzip.compress(content.encode())
    (folder / "records" / file).write_bytes(packed)
    change(folder, "UPDATE batches SET sha256 = ? WHERE number = ?", hashlib.sha256(packed).hexdigest(), number)


def games(folder, number=1):
    """Return the records of a batch one by one."""
    return ["(record 1)" + each for each in text(folder, number).split("(record 1)")[1:]]


def amend(folder, change, after=1):
    """Put an amendment behind a batch, and bind the batches that follow to it."""
    seen = []

    def edit(document):
        seen.append(document)
        batches = sum("batch" in each for each in seen)
        if "batch" not in document or batches != after:
            return document
        manifest = [each for each in seen if "manifest" in each][-1]
        return [document, change(json.loads(json.dumps(manifest)))]

    relink(folder, edit)


def relink(folder, edit=lambda document: document):
    """Make the whole chain again after an edit of its documents; write each manifest's new hash into the records.

    An edit returns a document, None to take it out, or several, whose manifests bind the batches that follow.
    """
    links = [json.loads(each) for (each,) in change(folder, "SELECT text FROM chain ORDER BY number")]
    old = [link for (link,) in change(folder, "SELECT link FROM chain ORDER BY number")]
    change(folder, "DELETE FROM chain")
    batches = {file: number for number, file in change(folder, "SELECT number, file FROM batches")}
    before, manifests, renamed, inserted = None, 0, {}, None
    made = [
        (was if place == 0 else None, document)
        for was, edited in zip(old, map(edit, links), strict=True)
        for place, document in enumerate(edited if isinstance(edited, list) else [edited])
        if document is not None
    ]
    for was, edited in made:
        document = dict(edited)
        if "batch" in document:
            number = batches[document["batch"]]
            content = text(folder, number)
            for one, other in renamed.items():
                content = content.replace(one, other)
            if inserted is not None:
                content = re.sub(r"\(manifest [0-9a-f]{64}\)", f"(manifest {inserted})", content)
            write(folder, content, number)
            kept = change(folder, "SELECT * FROM games WHERE batch = ? ORDER BY place", number)
            ((sha256,),) = change(folder, "SELECT sha256 FROM batches WHERE number = ?", number)
            document |= {"records": sha256, "played": len(kept), "games": rows.digest(kept)}
        link = Link.after(before, document)
        if "manifest" in document:
            manifests += 1
            inserted = link.sha256 if was is None else None
            if was is not None:
                renamed[was] = link.sha256
            name = "manifest.json" if manifests == 1 else f"manifest-{manifests}.json"
            (folder / name).write_text(link.text)
        change(folder, "INSERT INTO chain (link, text) VALUES (?, ?)", link.sha256, link.text)
        before = link.sha256
