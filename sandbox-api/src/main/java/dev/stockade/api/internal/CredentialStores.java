package dev.stockade.api.internal;

import java.util.List;
import java.util.stream.Stream;

/** Where programs keep what lets somebody else act as the user: from the home directory on, by kind. */
final class CredentialStores {

    private static final String KEYS_AND_PASSWORDS = """
            .ssh .gnupg .pki .netrc .authinfo .authinfo.gpg .password-store .keychain .putty .age .Xauthority
            .local/share/keyrings .local/share/kwalletd .kde/share/apps/kwallet .kde4/share/apps/kwallet
            .config/op .op .config/1Password .config/Bitwarden .config/keepassxc .config/keybase .config/sops
            .config/pass .secrets .env .step .config/step .acme.sh .wireguard .config/remmina .config/filezilla
            .smbcredentials .local/share/atuin
            """;

    private static final String VERSION_CONTROL = """
            .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .config/tea
            .subversion/auth .config/jgit .config/github-copilot .copilot
            """;

    private static final String CLOUDS = """
            .aws .aws/credentials .azure .config/gcloud
            .config/gcloud/application_default_credentials.json .oci .bluemix .aliyun .tccli .config/doctl .config/hcloud .config/scw
            .config/linode-cli .config/exoscale .config/openstack .config/civo .civo.json .s3cfg .boto .mc
            .config/rclone .rclone.conf .fly .netlify .config/netlify .vercel .config/com.vercel.cli
            .local/share/com.vercel.cli .wrangler .config/.wrangler .cloudflared .config/heroku .config/railway
            .railway .supabase .config/supabase .config/stripe .config/ngrok .ngrok2 .config/configstore .expo
            .terraform.d/credentials.tfrc.json .terraformrc .tofurc .pulumi .vault-token .config/vault .consul-token
            .databrickscfg .databricks .snowflake .snowsql .config/snowflake .akamai .edgerc .sentryclirc .circleci
            .travis .jfrog .config/jfrog .gitlab-runner
            """;

    private static final String CONTAINERS = """
            .docker .config/containers/auth.json .kube .kube/config .minikube .config/helm/registry .config/argocd .talos
            .config/talos .rancher .config/oras .config/containerd
            """;

    private static final String PACKAGES = """
            .npmrc .yarnrc.yml .pypirc .config/pip/pip.conf .pip/pip.conf .local/share/uv/credentials
            .config/uv/credentials .config/pypoetry/auth.toml .condarc .continuum .config/hatch .cargo/credentials
            .cargo/credentials.toml .m2/settings.xml .m2/settings-security.xml .m2/settings-security4.xml
            .m2/.develocity .m2/.gradle-enterprise .gradle/gradle.properties .gradle/develocity .gradle/enterprise
            .ivy2/.credentials .sbt/.credentials .sbt/credentials .gem/credentials .local/share/gem/credentials
            .bundle/config .composer/auth.json .config/composer/auth.json .nuget/NuGet/NuGet.Config
            .config/NuGet/NuGet.Config .hex/hex.config .config/hex/hex.config .pub-cache/credentials.json
            .config/dart/pub-credentials.json .lein/credentials.clj.gpg .pause .cabal/config .android/adbkey
            .config/jsr .deno/credentials
            """;

    private static final String DATABASES = """
            .pgpass .my.cnf .mylogin.cnf .cassandra/credentials .influxdbv2 .mongodb .config/mongosh
            .config/clickhouse .clickhouse-client
            """;

    private static final String MODELS = """
            .claude.json .claude/.credentials.json .codex .gemini .config/openai .config/anthropic
            .config/io.datasette.llm .huggingface .cache/huggingface/token .cache/huggingface/stored_tokens .kaggle
            .config/kaggle .ollama/id_ed25519 .local/share/opencode/auth.json .config/goose .config/wandb
            """;

    /** Sessions that are signed in. */
    private static final String BROWSERS_AND_MESSENGERS = """
            .mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware
            .config/microsoft-edge .config/vivaldi .config/opera .config/zen .librewolf .var/app
            snap/firefox/common snap/chromium/common .config/Slack .config/discord .config/Signal .config/Element
            .local/share/TelegramDesktop .config/weechat .weechat .irssi .msmtprc .config/msmtp .fetchmailrc .mbsyncrc
            .offlineimaprc .config/Code/User/globalStorage .config/Cursor/User/globalStorage .config/JetBrains
            """;

    private static final String WALLETS = ".bitcoin .ethereum .electrum .config/solana .monero .foundry/keystores";

    /** What was once typed at a prompt. */
    private static final String HISTORIES = """
            .bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history
            .psql_history .mysql_history .sqlite_history .rediscli_history .local/share/mycli
            """;

    private static final List<String> MACOS = List.of(
            "Library/Keychains",
            "Library/Cookies",
            "Library/Mail",
            "Library/Messages",
            "Library/Safari",
            "Library/Accounts",
            "Library/Containers/com.apple.Safari",
            "Library/Application Support/com.apple.TCC",
            "Library/Application Support/1Password",
            "Library/Application Support/BraveSoftware",
            "Library/Application Support/Firefox",
            "Library/Application Support/Google/Chrome",
            "Library/Application Support/Microsoft Edge",
            "Library/Application Support/Signal",
            "Library/Application Support/Slack");

    private CredentialStores() {}

    /** All of them; most exist on no machine. */
    static List<String> places() {
        Stream<String> words = Stream.of(
                        KEYS_AND_PASSWORDS,
                        VERSION_CONTROL,
                        CLOUDS,
                        CONTAINERS,
                        PACKAGES,
                        DATABASES,
                        MODELS,
                        BROWSERS_AND_MESSENGERS,
                        WALLETS,
                        HISTORIES)
                .flatMap(kind -> Stream.of(kind.strip().split("\\s+")));
        return Stream.concat(words, MACOS.stream()).toList();
    }
}
