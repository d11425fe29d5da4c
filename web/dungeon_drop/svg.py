"""Writing a drawing as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

from web.dungeon_drop.drawing import Disc, Drawing, Polygon, Text


def write_svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG document."""
    size = {"width": str(drawing.width), "height": str(drawing.height)}
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            **size,
            "viewBox": f"0 0 {drawing.width} {drawing.height}",
            "font-family": "system-ui, sans-serif",
        },
    )
    ElementTree.SubElement(root, "rect", {**size, "fill": drawing.background})
    for shape in drawing.shapes:
        _write(root, shape)
    return ElementTree.tostring(root, encoding="unicode")


def _write(root: ElementTree.Element, shape: Polygon | Disc | Text) -> None:
    match shape:
        case Polygon():
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
            attributes = {"points": points, **_paint(shape), "stroke-linejoin": "round"}
            if shape.opacity < 1:
                attributes["fill-opacity"] = f"{shape.opacity:.3f}"
            if shape.dash:
                attributes["stroke-dasharray"] = f"{shape.dash:g}"
            ElementTree.SubElement(root, "polygon", attributes)
        case Disc():
            x, y = shape.centre
            place = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{shape.radius:.1f}"}
            ElementTree.SubElement(root, "circle", {**place, **_paint(shape)})
        case Text():
            x, y = shape.at
            attributes = {
                "x": f"{x:.1f}",
                "y": f"{y:.1f}",
                "fill": shape.colour,
                "font-size": f"{shape.size:g}",
                "text-anchor": "start" if shape.left else "middle",
                "dominant-baseline": "central",
            }
            if shape.bold:
                attributes["font-weight"] = "bold"
            ElementTree.SubElement(root, "text", attributes).text = shape.text


def _paint(shape: Polygon | Disc) -> dict[str, str]:
    paint = {"fill": shape.fill or "none"}
    if shape.line:
        paint |= {"stroke": shape.line, "stroke-width": f"{shape.width:g}"}
    return paint
