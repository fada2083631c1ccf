"""Asks the functions that the configuration `ask` lists and exports what each answers or why it fails."""

import re

import pulumi
import pulumi_netmgr as netmgr


def snake_case(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def ask(question):
    lookup = getattr(netmgr, snake_case(question["function"]))
    arguments = {snake_case(name): value for name, value in question.get("arguments", {}).items()}
    try:
        return lookup(**arguments).__dict__
    except Exception as error:
        return {"error": str(error)}


pulumi.export("answers", [ask(question) for question in pulumi.Config().require_object("ask")])
