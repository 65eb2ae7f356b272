"""Serve a model file with llama.cpp's OpenAI-compatible server on loopback: `serve.py MODEL.gguf PORT`."""

import os
import signal
import sys

import xllamacpp


def main(model: str, port: int, context_tokens: int = 8192) -> None:
    """Serve until told to stop."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path, parameters.model_alias = model, {"local"}
    parameters.hostnames, parameters.port = ["127.0.0.1"], port
    parameters.n_ctx, parameters.n_parallel, parameters.offline = context_tokens, 1, True
    for threads in (parameters.cpuparams, parameters.cpuparams_batch):
        threads.n_threads, threads.poll = os.cpu_count() or 2, 0
    parameters.use_jinja, parameters.ui = True, False
    server = xllamacpp.Server(parameters)
    print("ready", server.listening_address, flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    os._exit(0)  # the native server's threads do not end by themselves


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
