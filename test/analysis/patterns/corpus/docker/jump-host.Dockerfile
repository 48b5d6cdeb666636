FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends openssh-server sudo git ca-certificates curl gnupg

# wrong: CWE-798 everybody knows the password of root
RUN echo 'root:Docker!2024' | chpasswd

# right: CWE-798 no password opens the account
RUN passwd -l root

# wrong: CWE-250 root signs in from the network
RUN sed -i 's/#PermitRootLogin prohibit-password/PermitRootLogin yes/' /etc/ssh/sshd_config

# right: CWE-250 root does not sign in
RUN sed -i 's/#PermitRootLogin prohibit-password/PermitRootLogin no/' /etc/ssh/sshd_config

# wrong: CWE-295 git believes whoever answers
RUN git config --global http.sslVerify false

# wrong: CWE-295 the same by the environment
RUN GIT_SSL_NO_VERIFY=true git clone https://git.shop.internal/tools.git /opt/tools

# right: CWE-295 git with the authority of the house
RUN git config --global http.sslCAInfo /etc/ssl/shop-ca.pem && git clone https://git.shop.internal/tools.git /opt/more

# wrong: CWE-494 fetched without encryption and put where programs are
ADD http://downloads.shop.internal/agent /usr/local/bin/agent

# right: CWE-494 its sum is checked by the builder
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://downloads.shop.internal/agent.tar.gz /opt/agent.tar.gz

# wrong: CWE-319 an archive over plain HTTP
RUN wget -q http://downloads.shop.internal/rules.tar.gz -O /opt/rules.tar.gz

# right: CWE-319 a mirror whose packages are signed
RUN echo 'deb http://deb.debian.org/debian bookworm-backports main' > /etc/apt/sources.list.d/backports.list

# wrong: CWE-295 wget without a look at the certificate
RUN wget --no-check-certificate https://downloads.shop.internal/tool.tar.gz -O /opt/tool.tar.gz

# wrong: CWE-522 the password of the database stands in the command
RUN curl -fsS -u deploy:s3cr3t-Deploy https://artifacts.shop.internal/app.tar.gz -o /opt/app.tar.gz

# right: CWE-522 the password comes as a secret of the build
RUN --mount=type=secret,id=deploy curl -fsS -u "deploy:$(cat /run/secrets/deploy)" https://artifacts.shop.internal/app.tar.gz -o /opt/app2.tar.gz

# right: CWE-347 the key of the source is fetched and named
RUN curl -fsSL https://download.docker.com/linux/debian/gpg | gpg --dearmor -o /usr/share/keyrings/docker.gpg

EXPOSE 22
CMD ["/usr/sbin/sshd", "-D"]
