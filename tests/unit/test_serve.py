import socket

from scripts.serve import free, serve


def test_a_taken_port_is_said_in_one_line_and_exits_as_a_component_that_is_down(capsys) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not free("127.0.0.1", port)
        assert serve(host="127.0.0.1", port=port) == 5
    assert "--port" in capsys.readouterr().err
