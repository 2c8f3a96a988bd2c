"""What strangers may write so that it runs as script where somebody forgets to quote it."""

PWN = "document.title='pwned'"
CLOSERS = ("", "</pre>", "</script>", "</title>", "</style>", "-->", "]]>", '">', "'>")
LINKS = (f"javascript:{PWN}", f"JaVaScRiPt:{PWN}", f"data:text/html,<script>{PWN}</script>")
INJECTIONS = [
    *(f"{close}<script>{PWN}</script>" for close in CLOSERS),
    *(f"<img src=x {hook}={PWN}>" for hook in ("onerror", "onload", "onclick", "ONERROR", "onerror\n", "/onerror")),
    *(f"<{tag} onload={PWN}>" for tag in ("svg", "body", "iframe", "object", "embed", "video", "style", "link")),
    *(f"<svg><{tag}>{PWN}</{tag}></svg>" for tag in ("script", "animate", "set", "foreignObject", "use")),
    *(f"<a href='{link}'>x</a>" for link in LINKS),
    *(
        f"<iframe src=javascript:{PWN}>",
        f"<iframe srcdoc='<script>parent.{PWN}</script>'>",
        "<base href=//evil.example/>",
    ),
    *("<meta http-equiv=refresh content='0;url=//evil.example'>", f"<form action=javascript:{PWN}><input autofocus>"),
    *(f"<input autofocus onfocus={PWN}>", f"<details open ontoggle={PWN}>", f"<math><mi xlink:href=javascript:{PWN}>"),
    *("{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "`-alert(1)-`", '";alert(1);//', "'-alert(1)-'"),
    *("__proto__", "constructor", "\\u003cscript\\u003e", "\u2028alert(1)\u2029", "\x00<script>", "<!--<script>"),
    *("%3Cscript%3E", "&lt;script&gt;alert(1)", "+ADw-script+AD4-", "\U0001f600<b onmouseover=alert(1)>"),
]


def injected(hearts):
    """Put the injections wherever words of strangers may stand."""
    said = [[None, words] for words in INJECTIONS]
    fault = [*INJECTIONS[:3], "".join(INJECTIONS)]
    evil = {"said": said, "note": "\n".join(INJECTIONS), "fault": fault, "facts": INJECTIONS, "legal": INJECTIONS}
    evil |= {"beside 0": INJECTIONS, "place 0 ": ["", 0, "hand", INJECTIONS, 0, [], None]}
    (first, *seats), *others = hearts["shots"]
    options = [[words, words] for words in INJECTIONS]
    names = ["".join(INJECTIONS[seat::4]) for seat in range(4)]
    words = {"title": "".join(INJECTIONS), "options": options, "players": names, "eyes": ["table", *names]}
    return hearts | words | {"shots": [(first | evil, *seats), *others]}
