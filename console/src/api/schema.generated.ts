// Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public keys of access tokens, as a JSON Web Key Set */
        get: operations["readKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this authorization server can do, as RFC 8414 writes it */
        get: operations["readServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API keys that are not revoked
         * @description One’s own, the oldest first. With `owner=all` those of every account, which needs the permission `administer users`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The key acts for the account that makes it. It goes into `Authorization: Bearer` or `X-API-Key`. An account can have 100.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working at once. One’s own; with the permission `administer users`, anyone’s.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Security events, the newest first
         * @description Sign-ins, failed ones, and changes of accounts, roles, keys and clients. Reading on is asking for what came before the last `id`.
         */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token for username and password
         * @description After 10 failed attempts within a minute, from one address or for one username, the answer is 429 with `Retry-After`.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a sign-in
         * @description Ends what the access token in `Authorization` belongs to, or the sign-in of `refreshToken`: both its tokens stop working.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the next token
         * @description Each refresh token works once. One that is used again ends the sign-in it came from: its tokens stop working at once.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Applications the caller has let in
         * @description The oldest first. `last_used_at` is when the application last got a token.
         */
        get: operations["listAuthorizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Shut an application out
         * @description Its tokens stop working at once, and it has to ask again.
         */
        delete: operations["withdrawAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the event log
         * @description The newest page; with `after` what came next, with `before` what came earlier.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The last id already seen. */
                    after?: number;
                    /** @description An id to look back from; not together with `after`. */
                    before?: number;
                    limit?: number;
                    /** @description Only events of this type. */
                    type?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Oldest first. */
                            data: {
                                /** @description The account it concerns. */
                                account: string | null;
                                /** Format: date-time */
                                created_at: string;
                                data: {
                                    [key: string]: unknown;
                                };
                                /** @description Grows by one with every event, in the order they were committed. */
                                id: number;
                                /** @description What it happened to. */
                                subject: string | null;
                                /** @description What happened, such as `identity.signed_in`. */
                                type: string;
                            }[];
                            /** @description The id of the newest event; 0 before the first. */
                            last_id: number;
                            /** @description Events in the log that match. */
                            total: number;
                            /** @description Whether events after `after` are no longer kept. */
                            truncated: boolean;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the event log
         * @description Server-sent events. Each carries its id; a reader that reconnects with `Last-Event-ID` misses and repeats nothing.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Begin after this id; default: now. */
                    after?: number;
                    /** @description Only events of this type. */
                    type?: string;
                };
                header?: {
                    "last-event-id"?: number;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A stream that ends when either side closes it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models
         * @description Every model the cluster knows, by id. A model stays in the list while its nodes, or the cluster service itself, cannot be asked; its `nodes` are empty then.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The models as they are now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                /** @description What it can do, such as `completion`, `tools` or `vision`; empty when no node says. */
                                capabilities: string[];
                                /** @description Seconds since 1970: since when a node has it as it is, the earliest of them. Null when none says. */
                                created: number | null;
                                /** @description The name to ask for it by. */
                                id: string;
                                /** @description Whether one of `nodes` has it in memory. */
                                loaded: boolean;
                                /** @description Ids of the healthy nodes that have it; empty while none can be asked. */
                                nodes: string[];
                                /** @enum {string} */
                                object: "model";
                                /** @description The namespace in its name; `library` when it has none. */
                                owned_by: string;
                                /**
                                 * @description Who answers with it: the nodes of the cluster.
                                 * @enum {string}
                                 */
                                provider: "ollama";
                                /** @description Bytes on disk; null when no node says. */
                                size: number | null;
                            }[];
                            /** @enum {string} */
                            object: "list";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ModelsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered clients
         * @description One’s own, the oldest first. With `owner=all` those of every account, which needs the permission `administer users`.
         */
        get: operations["listOAuthClients"];
        put?: never;
        /**
         * Register a client
         * @description A client with `authorization_code` also gets `refresh_token`. A public one runs where others can look, in a browser or on a device: it has no secret and no `client_credentials`, and may use a scheme of its own, such as `com.example.app:/signed-in`. An account can have 100.
         */
        post: operations["createOAuthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth-clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One client
         * @description One’s own; with the permission `administer users`, anyone’s.
         */
        get: operations["readOAuthClient"];
        put?: never;
        post?: never;
        /**
         * Remove a client
         * @description Everything that was issued to it stops working at once. One’s own; with the permission `administer users`, anyone’s.
         */
        delete: operations["deleteOAuthClient"];
        options?: never;
        head?: never;
        /**
         * Change a client
         * @description One’s own; with the permission `administer users`, anyone’s. Fewer scopes hold at once, for tokens that are out, too.
         */
        patch: operations["updateOAuthClient"];
        trace?: never;
    };
    "/api/v1/oauth-clients/{client_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a client a new secret
         * @description The old one stops working at once. One’s own; with the permission `administer users`, anyone’s.
         */
        post: operations["replaceOAuthClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Permissions a role can have
         * @description All of them, with what each allows. A later release may have more.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Roles and what they allow
         * @description Every account has the role `authenticated`, and who has none has `anonymous`; neither is given to anybody.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description It is there to be given to accounts at once.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/roles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a role
         * @description Whoever has it loses it. The roles that came with the platform stay.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Change a role
         * @description It holds at once for everyone who has the role. The permissions of `administrator` are always all of them.
         */
        patch: operations["changeRole"];
        trace?: never;
    };
    "/api/v1/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scopes a key or an application can be limited to
         * @description A credential with a scope reaches what the scope names, and only where its account may go, too.
         */
        get: operations["listScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where one is signed in
         * @description Browsers and programs, the current one first, then the oldest.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere else
         * @description Ends every session and every sign-in for tokens but the one this request came with. API keys stay.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out one browser or program
         * @description Its cookie, or its tokens, stop working at once.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What runs here */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What runs here. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            checks: {
                                [key: string]: string;
                            };
                            database: {
                                connections: {
                                    idle: number;
                                    total: number;
                                    waiting: number;
                                };
                                kind: "embedded" | "server";
                                version: string;
                            };
                            interfaces: {
                                name: string;
                                openapi: string;
                                title: string;
                                version: string;
                            }[];
                            node_version: string;
                            /** @description Model nodes this process knows; empty when the cluster runs elsewhere. */
                            nodes: {
                                id: string;
                                /** Format: date-time */
                                last_check: string | null;
                                last_error: string | null;
                                latency_ms: number | null;
                                models: string[];
                                /** @description `unknown`, `healthy`, `unhealthy`, `probing` or `draining`. */
                                status: string;
                                url: string;
                            }[];
                            role: string;
                            /** Format: date-time */
                            started_at: string;
                            status: "ready" | "degraded";
                            tasks: {
                                /** Format: date-time */
                                due_at: string;
                                interval_seconds: number;
                                last_error: string | null;
                                /** Format: date-time */
                                last_finished_at: string | null;
                                /** Format: date-time */
                                last_started_at: string | null;
                                name: string;
                                running: boolean;
                            }[];
                            uptime_seconds: number;
                            version: string;
                            workers: {
                                alive: boolean;
                                /** Format: date-time */
                                heartbeat_at: string;
                                id: string;
                                name: string;
                                role: string;
                                /** Format: date-time */
                                started_at: string;
                            }[];
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one’s password
         * @description Ends every other session and sign-in for tokens; the one this request came with stays. Wrong current passwords count like failed attempts to sign in.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account of the caller
         * @description Any credential may read it. The permissions are the account’s; a scope may let fewer through.
         */
        get: operations["readProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what is known of oneself
         * @description What is left out stays as it is; `email: null` removes the address.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts, the oldest first
         * @description All of them, or those in which a text is found. Case does not matter.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create an account
         * @description The tier is `professional` where none is given, and `custom` for an account with a role that allows everything.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account
         * @description With its roles, and what they allow together.
         */
        get: operations["readUser"];
        put?: never;
        post?: never;
        /**
         * Delete an account
         * @description Its sessions, tokens, API keys and OAuth clients go with it. Neither one’s own account nor the last administrator can be deleted.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description What is left out stays as it is; `roles` replaces all of them. It holds at once. Another password, or disabling, ends the sessions and tokens of the account and shuts out the applications it let in. The last administrator stays one, and nobody disables themselves.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "alive";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in Prometheus text format */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All metrics. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask a person to let an application in
         * @description For browsers. Leads through sign-in and consent to `redirect_uri` with `code`, or with `error`; `state` and `iss` come along. Scopes are separated by commas, spaces or `+`; without any, all of the client are asked for. PKCE with `S256`, which public clients must use. A client or redirect address that is not registered is answered with a page.
         */
        get: operations["authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a token is good for
         * @description RFC 7662. A client learns of its own tokens; a caller with the permission `administer users`, by API key or token, of all.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a token back
         * @description RFC 7009. An access or refresh token of this client; both stop working, with all that came from the same authorization. What is no token is answered the same.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token for a code, for client credentials or for a refresh token
         * @description The client proves itself by HTTP Basic or by `client_id` and `client_secret`; a public one by PKCE. 60 requests a minute for each client. A refresh token and a code work once; used again they end everything that came from them.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything this server answers, as OpenAPI 3.0.3 in JSON */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The description. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything this server answers, as OpenAPI 3.0.3 in YAML */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The description. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/yaml": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One interface as an OpenAPI description of its own */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of an interface, with `.yaml` or `.json` */
                    document: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The description. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/yaml": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can it do its work?
         * @description Each condition is checked anew and named.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ready. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Each condition: `ok`, or why it does not hold. */
                            checks: {
                                [key: string]: string;
                            };
                            status: "ready" | "not_ready";
                        };
                    };
                };
                /** @description Not ready; the checks say why. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Each condition: `ok`, or why it does not hold. */
                            checks: {
                                [key: string]: string;
                            };
                            status: "ready" | "not_ready";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The CSRF token of the session
         * @description Goes into `X-CSRF-Token` of every write that is authenticated by the cookie `SESS`. Without a session it is a token for a day, for the few writes that ask nobody to sign in.
         */
        get: operations["readSessionToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with username and password
         * @description Opens a session for a browser and sets the cookie `SESS`. A form is answered with a redirect to `destination`, or with the sign-in page again; JSON with JSON. After 10 failed attempts within a minute, from one address or for one username, the answer is 429 with `Retry-After`.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the cookie `SESS`. The token of the session goes in `X-CSRF-Token`, or in the field `csrf_token` of a form.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        IdentityError: {
            error: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                problems?: {
                    code: string;
                    message: string;
                    path: string;
                }[];
                request_id: string;
            };
        };
        ModelsError: {
            error: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                problems?: {
                    code: string;
                    message: string;
                    path: string;
                }[];
                request_id: string;
            };
        };
        PlatformError: {
            error: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                problems?: {
                    code: string;
                    message: string;
                    path: string;
                }[];
                request_id: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readKeySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every key a valid token may be signed with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: ({
                            kty: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The addresses and abilities of this authorization server. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        authorization_endpoint: string;
                        authorization_response_iss_parameter_supported: boolean;
                        code_challenge_methods_supported: string[];
                        grant_types_supported: string[];
                        introspection_endpoint: string;
                        introspection_endpoint_auth_methods_supported: string[];
                        issuer: string;
                        jwks_uri: string;
                        prompt_values_supported: string[];
                        response_modes_supported: string[];
                        response_types_supported: string[];
                        revocation_endpoint: string;
                        revocation_endpoint_auth_methods_supported: string[];
                        scopes_supported: string[];
                        service_documentation: string;
                        token_endpoint: string;
                        token_endpoint_auth_methods_supported: string[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Whose keys. */
                owner?: "me" | "all";
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            expires_at: string | null;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_used_at: string | null;
                            name: string;
                            /** @description How the key begins, to tell it by. */
                            prefix: string;
                            /** @description What the key is limited to; null: whatever its owner may do. */
                            scopes: string[] | null;
                            /** Format: uuid */
                            user_id: string;
                            username: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When it ends, at most 10 years ahead; without it, when it is revoked.
                     */
                    expires_at?: string | null;
                    /** @description What it is for. */
                    name: string;
                    /** @description Limits the key to these; without them it may do whatever its owner may. */
                    scopes?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The key was made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string | null;
                        /** Format: uuid */
                        id: string;
                        /** @description The key. It is shown this once. */
                        key: string;
                        /** Format: date-time */
                        last_used_at: string | null;
                        name: string;
                        /** @description How the key begins, to tell it by. */
                        prefix: string;
                        /** @description What the key is limited to; null: whatever its owner may do. */
                        scopes: string[] | null;
                        /** Format: uuid */
                        user_id: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readAudit: {
        parameters: {
            query?: {
                /** @description Only what concerns this account. */
                account?: string;
                /** @description Only what came before this id. */
                before?: number;
                /** @description Entries at most. */
                limit?: number;
                /** @description Only events of this type. */
                type?: "identity.account_changed" | "identity.account_created" | "identity.account_deleted" | "identity.administrator_created" | "identity.api_key_created" | "identity.api_key_revoked" | "identity.authorization_code_replayed" | "identity.consent_given" | "identity.consent_refused" | "identity.consent_withdrawn" | "identity.oauth_client_changed" | "identity.oauth_client_created" | "identity.oauth_client_deleted" | "identity.password_changed" | "identity.refresh_token_reused" | "identity.role_changed" | "identity.role_created" | "identity.role_deleted" | "identity.session_ended" | "identity.sign_in_failed" | "identity.signed_in" | "identity.signed_out" | "identity.signing_key_added";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest events, or the newest before an id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Whose account it concerns. */
                            account: string | null;
                            /** @description The account that did it; null when it was nobody’s: the terminal, the clock, a failed sign-in. */
                            by: string | null;
                            by_username: string | null;
                            /** Format: date-time */
                            created_at: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** @description Grows with time. */
                            id: number;
                            ip: string | null;
                            /** @description What it happened to: an account, a key, a client, a role. */
                            subject: string | null;
                            /** @description What happened. */
                            type: string;
                            user_agent: string | null;
                            /** @description The name of that account now; null when it is gone. */
                            username: string | null;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description A token and what renews it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds until `token` expires. */
                        expiresIn: number;
                        /** @description Gets the next pair, once, at the refresh endpoint. */
                        refreshToken: string;
                        /** @description The access token: a JWT for `Authorization: Bearer`. */
                        token: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken?: string;
                } | null;
            };
        };
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken: string;
                };
            };
        };
        responses: {
            /** @description A token and what renews it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds until `token` expires. */
                        expiresIn: number;
                        /** @description Gets the next pair, once, at the refresh endpoint. */
                        refreshToken: string;
                        /** @description The access token: a JWT for `Authorization: Bearer`. */
                        token: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listAuthorizations: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of applications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            client_id: string;
                            client_name: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_used_at: string | null;
                            scopes: string[];
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    withdrawAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Withdrawn. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listOAuthClients: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Whose clients. */
                owner?: "me" | "all";
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of clients. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            client_id: string;
                            /** Format: date-time */
                            created_at: string;
                            grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                            /** Format: date-time */
                            last_used_at: string | null;
                            /** @description What people are asked to let in. */
                            name: string;
                            /** @description It keeps no secret, and has to use PKCE. */
                            public: boolean;
                            /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                            redirect_uris: string[];
                            /** @description The most it can ask for. */
                            scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                            /** Format: uuid */
                            user_id: string;
                            /** @description Whose it is; by itself it acts for this account. */
                            username: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    grant_types?: ("authorization_code" | "client_credentials" | "refresh_token")[];
                    /** @description What people are asked to let in. */
                    name: string;
                    public?: boolean;
                    /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                    redirect_uris?: string[];
                    /** @description The most it can ask for. */
                    scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                };
            };
        };
        responses: {
            /** @description The client was registered. A public one has no secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description The secret. It is shown this once. */
                        client_secret?: string;
                        /** Format: date-time */
                        created_at: string;
                        grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** @description What people are asked to let in. */
                        name: string;
                        /** @description It keeps no secret, and has to use PKCE. */
                        public: boolean;
                        /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                        redirect_uris: string[];
                        /** @description The most it can ask for. */
                        scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                        /** Format: uuid */
                        user_id: string;
                        /** @description Whose it is; by itself it acts for this account. */
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A client, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** Format: date-time */
                        created_at: string;
                        grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** @description What people are asked to let in. */
                        name: string;
                        /** @description It keeps no secret, and has to use PKCE. */
                        public: boolean;
                        /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                        redirect_uris: string[];
                        /** @description The most it can ask for. */
                        scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                        /** Format: uuid */
                        user_id: string;
                        /** @description Whose it is; by itself it acts for this account. */
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    deleteOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    updateOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    grant_types?: ("authorization_code" | "client_credentials" | "refresh_token")[];
                    /** @description What people are asked to let in. */
                    name?: string;
                    /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                    redirect_uris?: string[];
                    /** @description The most it can ask for. */
                    scopes?: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                };
            };
        };
        responses: {
            /** @description A client, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** Format: date-time */
                        created_at: string;
                        grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** @description What people are asked to let in. */
                        name: string;
                        /** @description It keeps no secret, and has to use PKCE. */
                        public: boolean;
                        /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                        redirect_uris: string[];
                        /** @description The most it can ask for. */
                        scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                        /** Format: uuid */
                        user_id: string;
                        /** @description Whose it is; by itself it acts for this account. */
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    replaceOAuthClientSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description The secret. It is shown this once. */
                        client_secret: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All permissions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            about: string;
                            name: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Whether it allows everything, with what later releases add. */
                            all_permissions: boolean;
                            /** @description Whether it is always there. */
                            built_in: boolean;
                            label: string;
                            name: string;
                            /** @description What it allows. */
                            permissions: string[];
                            /** @description How many accounts have it. */
                            users: number;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see. */
                    label: string;
                    /** @description Lower-case letters, digits and `_`; it cannot be changed later. */
                    name: string;
                    /** @description Names that `GET /api/v1/permissions` lists. */
                    permissions: string[];
                };
            };
        };
        responses: {
            /** @description A role. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether it allows everything, with what later releases add. */
                        all_permissions: boolean;
                        /** @description Whether it is always there. */
                        built_in: boolean;
                        label: string;
                        name: string;
                        /** @description What it allows. */
                        permissions: string[];
                        /** @description How many accounts have it. */
                        users: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see. */
                    label?: string;
                    /** @description Names that `GET /api/v1/permissions` lists. */
                    permissions?: string[];
                };
            };
        };
        responses: {
            /** @description A role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether it allows everything, with what later releases add. */
                        all_permissions: boolean;
                        /** @description Whether it is always there. */
                        built_in: boolean;
                        label: string;
                        name: string;
                        /** @description What it allows. */
                        permissions: string[];
                        /** @description How many accounts have it. */
                        users: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All scopes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            about: string;
                            name: string;
                            /** @description Permissions of the account it lets through. */
                            permissions: string[];
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            created_at: string;
                            /** @description Whether this request came with it. */
                            current: boolean;
                            /** Format: date-time */
                            expires_at: string;
                            /** Format: uuid */
                            id: string;
                            /** @description Where it signed in from. */
                            ip: string;
                            /**
                             * @description `browser`: the cookie `SESS`; `token`: a program that signed in for tokens.
                             * @enum {unknown}
                             */
                            kind: "browser" | "token";
                            /**
                             * Format: date-time
                             * @description Of a token: when it was last renewed.
                             */
                            last_seen_at: string;
                            user_agent: string | null;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out everywhere else. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    /** @description At least 8 characters. */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description How much the tier allows. */
                        limits: {
                            concurrent_workflows: number;
                            dollars_per_day: number;
                            requests_per_hour: number;
                        };
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see; the username where none is given. */
                    display_name?: string;
                    /** Format: email */
                    email?: string | null;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description How much the tier allows. */
                        limits: {
                            concurrent_workflows: number;
                            dollars_per_day: number;
                            requests_per_hour: number;
                        };
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only those with this text in username, display name or e-mail address. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            created_at: string;
                            /** @description Whether every credential of the account is refused. */
                            disabled: boolean;
                            /** Format: date-time */
                            disabled_at: string | null;
                            display_name: string;
                            email: string | null;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_login_at: string | null;
                            /** @description What all roles together allow. */
                            permissions: string[];
                            /** @description Every account also has `authenticated`. */
                            roles: string[];
                            /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                            tier: string;
                            username: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see; the username where none is given. */
                    display_name?: string;
                    /** Format: email */
                    email?: string | null;
                    /** @description At least 8 characters. */
                    password: string;
                    /** @description Names of roles. */
                    roles?: string[];
                    /**
                     * @description How much the account may use.
                     * @enum {unknown}
                     */
                    tier?: "basic" | "professional" | "enterprise" | "custom";
                    /** @description Letters, digits, spaces and . _ @ + ' -; in any case the same name. */
                    username: string;
                };
            };
        };
        responses: {
            /** @description An account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** @description Whether every credential of the account is refused. */
                        disabled: boolean;
                        /** Format: date-time */
                        disabled_at: string | null;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** @description Whether every credential of the account is refused. */
                        disabled: boolean;
                        /** Format: date-time */
                        disabled_at: string | null;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A disabled account keeps its keys, but none of them works. */
                    disabled?: boolean;
                    /** @description What people see; the username where none is given. */
                    display_name?: string;
                    /** Format: email */
                    email?: string | null;
                    /** @description At least 8 characters. */
                    password?: string;
                    /** @description Names of roles. */
                    roles?: string[];
                    /**
                     * @description How much the account may use.
                     * @enum {unknown}
                     */
                    tier?: "basic" | "professional" | "enterprise" | "custom";
                    /** @description Letters, digits, spaces and . _ @ + ' -; in any case the same name. */
                    username?: string;
                };
            };
        };
        responses: {
            /** @description An account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** @description Whether every credential of the account is refused. */
                        disabled: boolean;
                        /** Format: date-time */
                        disabled_at: string | null;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    authorize: {
        parameters: {
            query: {
                client_id: string;
                code_challenge?: string;
                /** @description `S256`. */
                code_challenge_method?: string;
                /** @description `none` or `consent`. */
                prompt?: string;
                /** @description One of the client’s, letter by letter. */
                redirect_uri: string;
                /** @description `query`. */
                response_mode?: string;
                /** @description `code`. */
                response_type: string;
                scope?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On to the next step, or back to the application. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    client_secret?: string;
                    token: string;
                    /** @description Not needed: a token is recognised by itself. */
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description What the token is good for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        active: boolean;
                        aud?: string;
                        client_id?: string;
                        exp?: number;
                        iat?: number;
                        iss?: string;
                        jti?: string;
                        scope?: string;
                        sub?: string;
                        token_type?: string;
                        username?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    client_secret?: string;
                    token: string;
                    /** @description Not needed: a token is recognised by itself. */
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description It does not work any more; there is nothing to read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    client_secret?: string;
                    code?: string;
                    code_verifier?: string;
                    /** @description One of `authorization_code`, `client_credentials`, `refresh_token`. */
                    grant_type: string;
                    redirect_uri?: string;
                    refresh_token?: string;
                    scope?: string;
                };
            };
        };
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        /** @description Seconds. */
                        expires_in: number;
                        /** @description Not with client credentials. */
                        refresh_token?: string;
                        /** @description Separated by spaces. */
                        scope: string;
                        /** @enum {string} */
                        token_type: "bearer";
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readSessionToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of a form: the local path to go to afterwards. */
                    destination?: string;
                    password: string;
                    username: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Of a form: the local path to go to afterwards. */
                    destination?: string;
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Signed in; the cookie `SESS` holds the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What `GET /session/token` returns for this session. */
                        csrf_token: string;
                        user: {
                            /** Format: uuid */
                            id: string;
                            username: string;
                        };
                    };
                };
            };
            /** @description Signed in by a form: on to its destination. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Signed out by a form: on to the sign-in page. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
}
