# syntax=docker/dockerfile:1.7
FROM python:3.12-slim-bookworm AS build

# right: CWE-295 the index is asked over TLS with its certificate
RUN pip install --no-cache-dir --index-url https://pypi.org/simple poetry==1.8.3

# wrong: CWE-295 the host is trusted without a certificate
RUN pip install --no-cache-dir --trusted-host pypi.shop.internal -r requirements-internal.txt

WORKDIR /src
COPY pyproject.toml poetry.lock ./

# wrong: CWE-295 poetry's index with curl that checks nothing
RUN curl -sSk https://packages.shop.internal/ca/bundle.tar.gz -o /tmp/bundle.tar.gz \
    && tar -xzf /tmp/bundle.tar.gz -C /usr/local/share

# right: CWE-295 an own authority is named
RUN curl -sS --cacert /etc/ssl/shop-ca.pem https://packages.shop.internal/schemas.tar.gz -o /tmp/schemas.tar.gz

RUN apt-get update \
    && apt-get install -y --no-install-recommends build-essential libpq-dev \
    # wrong: CWE-347 packages of anybody are taken
    && apt-get install -y --allow-unauthenticated shop-tracing \
    && rm -rf /var/lib/apt/lists/*

# right: CWE-347 packages whose signature apt checks
RUN apt-get update && apt-get install -y --no-install-recommends libpq5 && rm -rf /var/lib/apt/lists/*

FROM python:3.12-slim-bookworm
COPY --from=build /usr/local /usr/local
WORKDIR /app
COPY . .

# wrong: CWE-732 everybody in the container may change the program
RUN chmod -R 777 /app

# right: CWE-732 the group may read it
RUN mkdir -p /app/cache && chown -R 1001:1001 /app/cache && chmod 750 /app/cache

# right: CWE-732 sticky like /tmp
RUN mkdir -p /app/tmp && chmod 1777 /app/tmp

RUN useradd --system --uid 1001 app
USER app
RUN python -m compileall -q app

# wrong: CWE-250 the user is given up again
USER root
EXPOSE 8000
CMD ["gunicorn", "-b", "0.0.0.0:8000", "app.wsgi"]
