"""Reads an OpenAPI document as Python programs do: every schema, every pattern and every example in it."""

import json
import re
import sys

from jsonschema import Draft202012Validator, FormatChecker, RefResolver

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
resolver = RefResolver.from_schema(document)
schemas = 0
examples = 0


def check_example(schema, value):
    global examples
    examples += 1
    Draft202012Validator(schema, resolver=resolver, format_checker=FormatChecker()).validate(value)


def check_schema(schema):
    global schemas
    schemas += 1
    Draft202012Validator.check_schema(schema)
    for value in schema.get("examples", []):
        check_example(schema, value)
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        check_schema(inner)


def compile_patterns(node):
    if isinstance(node, dict) and isinstance(node.get("pattern"), str):
        re.compile(node["pattern"])
    for item in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
        compile_patterns(item)


def check(node):
    """Parameters, headers and media types have a schema, and examples beside it."""
    if isinstance(node, list):
        for item in node:
            check(item)
    elif isinstance(node, dict):
        if "schema" in node:
            check_schema(node["schema"])
            if "example" in node:
                check_example(node["schema"], node["example"])
            for example in node.get("examples", {}).values():
                check_example(node["schema"], example["value"])
        else:
            for item in node.values():
                check(item)


compile_patterns(document)
for schema in document["components"]["schemas"].values():
    check_schema(schema)
check({**document, "components": {**document["components"], "schemas": {}}})
print(json.dumps({"schemas": schemas, "examples": examples}))
