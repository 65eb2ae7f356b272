FROM python:3.12-slim
WORKDIR /app
COPY requirements-servers.lock pyproject.toml README.md ./
RUN pip install --no-cache-dir --require-hashes --only-binary=:all: -r requirements-servers.lock
COPY . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation . && useradd --create-home agent && mkdir -p /data && chown agent /data
USER agent
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --retries=12 \
    CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/health', timeout=4)"
CMD ["data-agent", "serve", "--host", "0.0.0.0"]
