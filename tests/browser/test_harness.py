"""The browser tells what is wrong with a page: else no test that it is right says anything."""

import pytest

BAD = """<!DOCTYPE html><html><head><title>bad</title></head><body style="width: 3000px">
<img src="nowhere.png"><button></button><p style="color: #eee; background: #fff">hardly to be read</p>
<script>console.error("oh no"); throw new Error("thrown")</script></body></html>"""


@pytest.fixture
def bad(chromium, tmp_path):
    """Open a page of which hardly anything is right."""
    page = tmp_path / "bad.html"
    page.write_text(BAD)
    chromium.open(page.as_uri())
    return chromium


def test_what_is_wrong_is_found(bad):
    """Words on the console, exceptions, requests, width, names, contrast."""
    assert [address.rpartition("/")[2] for address in bad.requests()] == ["bad.html", "nowhere.png"]
    said = "".join(bad.errors())
    assert all(words in said for words in ("oh no", "thrown", "nowhere.png"))
    assert bad.too_wide() > 1000
    assert bad.unnamed() == 1
    assert {"color-contrast", "button-name", "image-alt"} <= {found.partition(":")[0] for found in bad.judged()}
