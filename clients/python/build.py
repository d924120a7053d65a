"""Builds the wheel of the Python client: what openapi-python-client makes of the specification, and the modules in this folder.

    python clients/python/build.py [--openapi FILE] [--out FOLDER]

Needs openapi-python-client 0.29.1 and pip in the environment of the interpreter. Prints the path of the wheel.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent


def run(*command: str) -> None:
    """Runs it quietly; ends this program with what it said where it fails, or where a generator warns."""
    done = subprocess.run(command, capture_output=True, text=True)
    said = done.stdout + done.stderr
    # Its formatter is optional.
    warned = "Warning" in said and "ruff is not in PATH" not in said
    if done.returncode != 0 or warned or said.count("Unable to") + said.count("WARNING parsing") > 0:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{said}")


def open_models(models: pathlib.Path) -> None:
    """Lets a model be read like the JSON that it came from: the generator's `[...]` and `in` know undocumented members only."""
    for file in models.glob("*.py"):
        text = file.read_text()
        for only, whole in (
            ("return self.additional_properties[key]", "return self.to_dict()[key]"),
            ("return key in self.additional_properties", "return key in self.to_dict()"),
        ):
            if "def __getitem__" in text and only not in text:
                sys.exit(f"{file.name}: the generator writes something else than {only!r}")
            text = text.replace(only, whole)
        file.write_text(text)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--openapi", default=str(here.parents[1] / "docs" / "generated" / "openapi.json"))
    options.add_argument("--out", default=str(here / "dist"))
    given = options.parse_args()
    out = pathlib.Path(given.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder) / "project"
        package = project / "svc_node_client"
        project.mkdir()
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(here / name, project)
        run(
            *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--overwrite"),
            *("--config", str(here / "generator.yaml"), "--path", given.openapi, "--output-path", str(package)),
        )
        open_models(package / "models")
        for file in (here / "svc_node_client").glob("*.py"):
            shutil.copy(file, package)
        (package / "py.typed").touch()
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(project))
    print(max(out.glob("svc_node_client-*.whl"), key=lambda wheel: wheel.stat().st_mtime))


main()
