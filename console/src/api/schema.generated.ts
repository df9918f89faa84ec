// Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file.
/* oxlint-disable */

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
    "/api/cluster/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the nodes
         * @description Server-sent events: `nodes` with all of them first, then `node_changed` and `node_removed` as it happens; if wanted, `measured` with load, latency and history at most once a second.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Whether to tell what changes all the while, too. */
                    measurements?: boolean;
                };
                header?: never;
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
                        "application/json": components["schemas"]["ClusterError"];
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
    "/api/cluster/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the nodes
         * @description Configured nodes in their order, then discovered ones by port.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of the nodes, and how many there are. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            nodes: {
                                /** @description Requests the node is working on for this cluster. */
                                active_connections: number;
                                /** @description Those of them it failed. */
                                failures: number;
                                /** @description Follows from the url, so it stays the same over restarts. */
                                id: string;
                                /** Format: date-time */
                                last_check: string | null;
                                /** @description Why the last probe, or the last request, failed, if it did. */
                                last_error: string | null;
                                /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                                latency: {
                                    ewma: number | null;
                                    p50: number | null;
                                    p95: number | null;
                                };
                                /** @description Those of them that are in memory. */
                                loaded_models: string[];
                                /** @description Models the node had when it last answered, by name. */
                                models: string[];
                                /** @description Requests it was given since the service started. */
                                requests: number;
                                /** @description Who named it; with several, the most binding, in this order. */
                                source: "config" | "runtime" | "kubernetes" | "discovery";
                                /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                                status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                                url: string;
                                /** @description Of the runtime, if it tells. */
                                version: string | null;
                                weight: number;
                            }[];
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
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a node
         * @description It is probed at once. A node that was there before keeps its id and what was measured.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        url: string;
                        weight?: number;
                    };
                };
            };
            responses: {
                /** @description The node, not heard from yet. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Requests the node is working on for this cluster. */
                            active_connections: number;
                            /** @description Those of them it failed. */
                            failures: number;
                            /** @description Follows from the url, so it stays the same over restarts. */
                            id: string;
                            /** Format: date-time */
                            last_check: string | null;
                            /** @description Why the last probe, or the last request, failed, if it did. */
                            last_error: string | null;
                            /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                            latency: {
                                ewma: number | null;
                                p50: number | null;
                                p95: number | null;
                            };
                            /** @description Those of them that are in memory. */
                            loaded_models: string[];
                            /** @description Models the node had when it last answered, by name. */
                            models: string[];
                            /** @description Requests it was given since the service started. */
                            requests: number;
                            /** @description Who named it; with several, the most binding, in this order. */
                            source: "config" | "runtime" | "kubernetes" | "discovery";
                            /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                            status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                            url: string;
                            /** @description Of the runtime, if it tells. */
                            version: string | null;
                            weight: number;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cluster/nodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a node */
        get: {
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
                /** @description The node as it is now, and its last ten minutes. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Requests the node is working on for this cluster. */
                            active_connections: number;
                            /** @description Those of them it failed. */
                            failures: number;
                            /** @description The last ten minutes at most. */
                            history: {
                                /**
                                 * Format: date-time
                                 * @description When the last slice is over.
                                 */
                                ends_at: string;
                                /** @description Requests it failed. */
                                failures: number[];
                                /** @description Half of its answers began sooner than this; null where none did. */
                                first_byte_ms: (number | null)[];
                                /** @description What it took to list its models; null where nobody asked. */
                                probe_ms: (number | null)[];
                                /** @description Requests it was given. */
                                requests: number[];
                                slice_seconds: number;
                            };
                            /** @description Follows from the url, so it stays the same over restarts. */
                            id: string;
                            /** Format: date-time */
                            last_check: string | null;
                            /** @description Why the last probe, or the last request, failed, if it did. */
                            last_error: string | null;
                            /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                            latency: {
                                ewma: number | null;
                                p50: number | null;
                                p95: number | null;
                            };
                            /** @description Those of them that are in memory. */
                            loaded_models: string[];
                            /** @description Models the node had when it last answered, by name. */
                            models: string[];
                            /** @description Requests it was given since the service started. */
                            requests: number;
                            /** @description Who named it; with several, the most binding, in this order. */
                            source: "config" | "runtime" | "kubernetes" | "discovery";
                            /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                            status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                            url: string;
                            /** @description Of the runtime, if it tells. */
                            version: string | null;
                            weight: number;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a node
         * @description It finishes what it has. It stays away until it is added again or the service restarts, even if a setting or discovery names it.
         */
        delete: {
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
                /** @description Gone. */
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
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Weigh or drain a node
         * @description A draining node takes no new request and finishes what it has.
         */
        patch: {
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
                        draining?: boolean;
                        weight?: number;
                    };
                };
            };
            responses: {
                /** @description The node as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Requests the node is working on for this cluster. */
                            active_connections: number;
                            /** @description Those of them it failed. */
                            failures: number;
                            /** @description Follows from the url, so it stays the same over restarts. */
                            id: string;
                            /** Format: date-time */
                            last_check: string | null;
                            /** @description Why the last probe, or the last request, failed, if it did. */
                            last_error: string | null;
                            /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                            latency: {
                                ewma: number | null;
                                p50: number | null;
                                p95: number | null;
                            };
                            /** @description Those of them that are in memory. */
                            loaded_models: string[];
                            /** @description Models the node had when it last answered, by name. */
                            models: string[];
                            /** @description Requests it was given since the service started. */
                            requests: number;
                            /** @description Who named it; with several, the most binding, in this order. */
                            source: "config" | "runtime" | "kubernetes" | "discovery";
                            /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                            status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                            url: string;
                            /** @description Of the runtime, if it tells. */
                            version: string | null;
                            weight: number;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/cluster/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Overview of the cluster
         * @description How the cluster is, every node, and every model with the nodes that have it.
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
                /** @description The cluster as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            counts: {
                                draining: number;
                                healthy: number;
                                probing: number;
                                total: number;
                                unhealthy: number;
                                unknown: number;
                            };
                            /** @description The status in a sentence. */
                            message: string;
                            models: {
                                /** @description Whether a healthy node has it. */
                                available: boolean;
                                /** @description What it can do, by what its nodes say; null when none says. */
                                capabilities: string[] | null;
                                /** @description Ids of the nodes that have it in memory. */
                                loaded_on: string[];
                                /**
                                 * Format: date-time
                                 * @description Since when a node has it as it is; the earliest of them.
                                 */
                                modified_at: string | null;
                                name: string;
                                /** @description Ids of the nodes that have it. */
                                nodes: string[];
                                parameter_size: string | null;
                                quantization: string | null;
                                /** @description Bytes on disk. */
                                size: number | null;
                            }[];
                            nodes: {
                                /** @description Requests the node is working on for this cluster. */
                                active_connections: number;
                                /** @description Those of them it failed. */
                                failures: number;
                                /** @description Follows from the url, so it stays the same over restarts. */
                                id: string;
                                /** Format: date-time */
                                last_check: string | null;
                                /** @description Why the last probe, or the last request, failed, if it did. */
                                last_error: string | null;
                                /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                                latency: {
                                    ewma: number | null;
                                    p50: number | null;
                                    p95: number | null;
                                };
                                /** @description Those of them that are in memory. */
                                loaded_models: string[];
                                /** @description Models the node had when it last answered, by name. */
                                models: string[];
                                /** @description Requests it was given since the service started. */
                                requests: number;
                                /** @description Who named it; with several, the most binding, in this order. */
                                source: "config" | "runtime" | "kubernetes" | "discovery";
                                /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                                status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                                url: string;
                                /** @description Of the runtime, if it tells. */
                                version: string | null;
                                weight: number;
                            }[];
                            /** @description Models that requests wait for. */
                            queues: {
                                model: string;
                                waiting: number;
                            }[];
                            /** @description `healthy`: every node is. `degraded`: some are, or none has been heard from yet. `critical`: there is no healthy node. */
                            status: "healthy" | "degraded" | "critical";
                            /** @description How a node is chosen, unless a request says otherwise. */
                            strategy: string;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
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
    "/api/cluster/strategy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The strategy in force */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Its name, and those it could be. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            available: string[];
                            strategy: "round-robin" | "least-connections" | "least-latency" | "weighted";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        /**
         * Change the strategy
         * @description For every request from now on, until the service restarts.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        strategy: "round-robin" | "least-connections" | "least-latency" | "weighted";
                    };
                };
            };
            responses: {
                /** @description The strategy in force. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            strategy: "round-robin" | "least-connections" | "least-latency" | "weighted";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
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
         * @description Sign-ins, failed ones, changes of accounts, roles, keys and clients, and what operators do. Reading on is asking for what came before the last `id`.
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
    "/api/v1/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation
         * @description As the runtime does: one JSON object for each line, or one in all with `"stream": false`.
         */
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn texts into vectors
         * @description As the runtime does: one vector for each input, in their order.
         */
        post: operations["embed"];
        delete?: never;
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
    "/api/v1/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a prompt
         * @description As the runtime does: one JSON object for each line, or one in all with `"stream": false`.
         */
        post: operations["generate"];
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
         * @description Every model of every provider, by id; one that several have is there for each of them. A model stays in the list while its nodes, or its provider, cannot be asked; its `state` says so.
         */
        get: operations["listModels"];
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
    "/api/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prices that were set here
         * @description By provider and model. All other prices come from the table of this version; `GET /api/v1/models` tells each.
         */
        get: operations["listPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prices/{provider}/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the price of a model
         * @description It holds for every call that begins from now on, in all replicas, whatever the length of its input. Calls that were made keep the price they were made at.
         */
        put: operations["setPrice"];
        post?: never;
        /**
         * Remove a price that was set here
         * @description From now on the price of the table holds, if it has one.
         */
        delete: operations["removePrice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Providers and how they are
         * @description All of them, in the order in which they are asked. Whether one can be asked is looked at when it was not lately.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/{name}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store the key of a provider
         * @description Sealed with the secret of this installation; it replaces the one before it and holds in all replicas at once. Refused while the environment has a key, which would win.
         */
        put: operations["storeProviderKey"];
        post?: never;
        /**
         * Remove the stored key of a provider
         * @description Without another key the provider can no longer be asked. A key of the environment stays.
         */
        delete: operations["removeProviderKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/{name}/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a provider now
         * @description Asks it whether it is there. Nothing is generated, and nothing is spent.
         */
        post: operations["probeProvider"];
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
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What models were used for
         * @description Added up over days in UTC, both included, the last 30 without. `group_by` tells the sums apart by one or two of account, day, provider, model and source.
         */
        get: operations["readUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is left of today's budget
         * @description Of the account that asks; its tier says how much there is. Days are in UTC.
         */
        get: operations["readBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of models, the newest first
         * @description Reading on is asking for what comes after `next`, so that new calls move nothing.
         */
        get: operations["listCalls"];
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
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation
         * @description Fields that are known and not honoured are refused by name; null is as good as left out.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a prompt
         * @description Fields that are known and not honoured are refused by name; null is as good as left out.
         */
        post: operations["createCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn texts into vectors
         * @description One vector for each input, as numbers or in base64.
         */
        post: operations["createEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that can be asked
         * @description Restricted credentials need the scope `models.read` or `models.generate`.
         */
        get: operations["listOpenAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One model
         * @description By its id, slashes and all, or by `provider/id`. Restricted credentials need the scope `models.read` or `models.generate`.
         */
        get: operations["readOpenAiModel"];
        put?: never;
        post?: never;
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
        ClusterError: {
            error: {
                code: string;
                details: {
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
        GatewayError: {
            code: string;
            error: string;
        };
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
        OpenaiError: {
            error: {
                code: string;
                message: string;
                param: string | null;
                type: string;
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
                type?: "identity.account_changed" | "identity.account_created" | "identity.account_deleted" | "identity.administrator_created" | "identity.api_key_created" | "identity.api_key_revoked" | "identity.authorization_code_replayed" | "identity.consent_given" | "identity.consent_refused" | "identity.consent_withdrawn" | "identity.oauth_client_changed" | "identity.oauth_client_created" | "identity.oauth_client_deleted" | "identity.password_changed" | "identity.refresh_token_reused" | "identity.role_changed" | "identity.role_created" | "identity.role_deleted" | "identity.session_ended" | "identity.sign_in_failed" | "identity.signed_in" | "identity.signed_out" | "identity.signing_key_added" | "cluster.node_added" | "cluster.node_drained" | "cluster.node_removed" | "cluster.node_resumed" | "cluster.node_weighed" | "cluster.strategy_changed" | "models.provider_key_stored" | "models.provider_key_removed" | "models.price_set" | "models.price_removed";
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
    chat: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `json`, or a JSON schema the answer is to satisfy. */
                    format?: ("" | "json") | {
                        [key: string]: unknown;
                    };
                    /** @description Understood by nodes of the cluster alone. */
                    keep_alive?: string | number;
                    messages: {
                        content: string;
                        /** @description Understood by nodes of the cluster alone. */
                        images?: string[];
                        /** @enum {unknown} */
                        role: "system" | "user" | "assistant";
                        /** @description Understood by nodes of the cluster alone. */
                        thinking?: string;
                    }[];
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    /** @description Others are for the runtime: with one of them only a node of the cluster can answer. */
                    options?: {
                        frequency_penalty?: number;
                        /** @description Tokens at most. */
                        num_predict?: number;
                        presence_penalty?: number;
                        seed?: number;
                        stop?: string[];
                        temperature?: number;
                        top_p?: number;
                    } & {
                        [key: string]: number | boolean | string | string[];
                    };
                    /** @description Understood by nodes of the cluster alone. */
                    shift?: boolean;
                    /**
                     * @description A line for each piece, as it comes.
                     * @default true
                     */
                    stream?: boolean;
                    /** @description Understood by nodes of the cluster alone. */
                    think?: boolean | ("low" | "medium" | "high" | "max");
                    /** @description Understood by nodes of the cluster alone. */
                    truncate?: boolean;
                };
            };
        };
        responses: {
            /** @description The answer, or a piece of it on each line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        message: {
                            content: string;
                            role: string;
                            /** @description What a reasoning model thought aloud. */
                            thinking?: string;
                        };
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/x-ndjson": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        message: {
                            content: string;
                            role: string;
                            /** @description What a reasoning model thought aloud. */
                            thinking?: string;
                        };
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    embed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    dimensions?: number;
                    input: string | string[];
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                };
            };
        };
        responses: {
            /** @description One vector for each input. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        embeddings: number[][];
                        model: string;
                        prompt_eval_count?: number;
                        /** @description Nanoseconds. */
                        total_duration: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    generate: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Understood by nodes of the cluster alone. */
                    context?: number[];
                    /** @description `json`, or a JSON schema the answer is to satisfy. */
                    format?: ("" | "json") | {
                        [key: string]: unknown;
                    };
                    /** @description Understood by nodes of the cluster alone. */
                    images?: string[];
                    /** @description Understood by nodes of the cluster alone. */
                    keep_alive?: string | number;
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    /** @description Others are for the runtime: with one of them only a node of the cluster can answer. */
                    options?: {
                        frequency_penalty?: number;
                        /** @description Tokens at most. */
                        num_predict?: number;
                        presence_penalty?: number;
                        seed?: number;
                        stop?: string[];
                        temperature?: number;
                        top_p?: number;
                    } & {
                        [key: string]: number | boolean | string | string[];
                    };
                    /** @default  */
                    prompt?: string;
                    /** @description Understood by nodes of the cluster alone. */
                    raw?: boolean;
                    /** @description Understood by nodes of the cluster alone. */
                    shift?: boolean;
                    /**
                     * @description A line for each piece, as it comes.
                     * @default true
                     */
                    stream?: boolean;
                    /** @description Understood by nodes of the cluster alone. */
                    suffix?: string;
                    system?: string;
                    /** @description Understood by nodes of the cluster alone. */
                    template?: string;
                    /** @description Understood by nodes of the cluster alone. */
                    think?: boolean | ("low" | "medium" | "high" | "max");
                    /** @description Understood by nodes of the cluster alone. */
                    truncate?: boolean;
                };
            };
        };
        responses: {
            /** @description The answer, or a piece of it on each line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        response: string;
                        /** @description What a reasoning model thought aloud. */
                        thinking?: string;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/x-ndjson": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        response: string;
                        /** @description What a reasoning model thought aloud. */
                        thinking?: string;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    listModels: {
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
                            /** @description What it can do, such as `completion`, `tools` or `vision`; empty when nobody says. */
                            capabilities: string[];
                            /** @description Most tokens of a conversation, its answer included; null when nobody says. */
                            context_length: number | null;
                            /** @description Seconds since 1970: since when its provider, or the first of its nodes, has it as it is. Null when none says. */
                            created: number | null;
                            /** @description The name to ask for it by. */
                            id: string;
                            /** @description Whether one of `nodes` has it in memory. */
                            loaded: boolean;
                            /** @description Most tokens of an answer; null when nobody says. */
                            max_output_tokens: number | null;
                            /** @description Ids of the healthy nodes that have it; empty while none can be asked, and for other providers. */
                            nodes: string[];
                            /** @enum {string} */
                            object: "model";
                            /** @description Who made it, as its provider says; of a model of the cluster the namespace in its name, `library` when it has none. */
                            owned_by: string;
                            /** @description What it costs. */
                            pricing: {
                                /** @description Dollars for a million tokens; null when nobody knows. */
                                cached_input: number | null;
                                /** @description Dollars for a million tokens; null when nobody knows. */
                                input: number | null;
                                /** @description Dollars for a million tokens; null when nobody knows. */
                                output: number | null;
                                /**
                                 * @description `override`: set here. `table`: as published. `free`: known to cost nothing. `unpriced`: nobody knows.
                                 * @enum {unknown}
                                 */
                                source: "override" | "table" | "free" | "unpriced";
                                /** @description What holds instead for whole calls with a longer input, the shortest first. */
                                tiers: {
                                    /** @description Holds for calls with more input tokens than this. */
                                    above_input_tokens: number;
                                    cached_input: number;
                                    input: number;
                                    output: number;
                                }[];
                                /** @description The version of the price table, or when the price was set. */
                                version: string | null;
                            };
                            /**
                             * @description Who answers with it; `ollama` are the nodes of the cluster.
                             * @enum {unknown}
                             */
                            provider: "ollama" | "openai" | "anthropic" | "builtin";
                            /** @description Bytes on disk; null when no node says. */
                            size: number | null;
                            /**
                             * @description Whether its provider can be asked for it now.
                             * @enum {unknown}
                             */
                            state: "available" | "unavailable";
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
    listPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All prices that were set here. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The same for input the provider had remembered. */
                            cached_input: number;
                            /** @description Dollars for a million tokens of input. */
                            input: number;
                            model: string;
                            /** @description The same for output. */
                            output: number;
                            provider: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description The account that set it. */
                            updated_by: string | null;
                        }[];
                        /** @description The version of the price table. */
                        table_version: string;
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
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    setPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the model, percent-encoded: `hf.co%2Fnadia%2Ftuned`. It need not be there yet. */
                model: string;
                /** @description Who provides the model; `builtin` costs nothing. */
                provider: "ollama" | "openai" | "anthropic";
            };
            cookie?: never;
        };
        /** @description Without `cached_input`, input that was remembered costs as much as any other. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Dollars for a million tokens, as a number or as text, with six decimals at most. */
                    cached_input?: number | string;
                    /** @description Dollars for a million tokens, as a number or as text, with six decimals at most. */
                    input: number | string;
                    /** @description Dollars for a million tokens, as a number or as text, with six decimals at most. */
                    output: number | string;
                };
            };
        };
        responses: {
            /** @description A price that was set here and wins over the table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The same for input the provider had remembered. */
                        cached_input: number;
                        /** @description Dollars for a million tokens of input. */
                        input: number;
                        model: string;
                        /** @description The same for output. */
                        output: number;
                        provider: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description The account that set it. */
                        updated_by: string | null;
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
    removePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the model, percent-encoded: `hf.co%2Fnadia%2Ftuned`. It need not be there yet. */
                model: string;
                /** @description Who provides the model; `builtin` costs nothing. */
                provider: "ollama" | "openai" | "anthropic";
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
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All providers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Where it is asked, without credentials. */
                            base_url: string | null;
                            /**
                             * Format: date-time
                             * @description When it was last asked.
                             */
                            checked_at: string;
                            /** @description Whether it has what it needs to be asked. */
                            configured: boolean;
                            /** @description The key that is shown to it. The key itself is never told. */
                            key: {
                                /** @description The last four characters; null for a key too short to be told by them. */
                                hint: string | null;
                                /** @description Where the key comes from; a key of the environment wins over a stored one. */
                                source: ("environment" | "stored") | (never | null);
                                /** Format: date-time */
                                updated_at: string | null;
                                /** @description The account that stored it. */
                                updated_by: string | null;
                            };
                            /** @description How many models it has. */
                            models: number;
                            /** @enum {unknown} */
                            name: "ollama" | "openai" | "anthropic" | "builtin";
                            /** @description What is wrong, for people; null when nothing is. */
                            problem: string | null;
                            /** @description How long it took to answer. */
                            response_ms: number | null;
                            /** @enum {unknown} */
                            state: "online" | "degraded" | "offline" | "unconfigured";
                        }[];
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
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    storeProviderKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "ollama" | "openai" | "anthropic" | "builtin";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As the provider gave it. No answer ever has it. */
                    api_key: string;
                };
            };
        };
        responses: {
            /** @description A provider of models, and how it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where it is asked, without credentials. */
                        base_url: string | null;
                        /**
                         * Format: date-time
                         * @description When it was last asked.
                         */
                        checked_at: string;
                        /** @description Whether it has what it needs to be asked. */
                        configured: boolean;
                        /** @description The key that is shown to it. The key itself is never told. */
                        key: {
                            /** @description The last four characters; null for a key too short to be told by them. */
                            hint: string | null;
                            /** @description Where the key comes from; a key of the environment wins over a stored one. */
                            source: ("environment" | "stored") | (never | null);
                            /** Format: date-time */
                            updated_at: string | null;
                            /** @description The account that stored it. */
                            updated_by: string | null;
                        };
                        /** @description How many models it has. */
                        models: number;
                        /** @enum {unknown} */
                        name: "ollama" | "openai" | "anthropic" | "builtin";
                        /** @description What is wrong, for people; null when nothing is. */
                        problem: string | null;
                        /** @description How long it took to answer. */
                        response_ms: number | null;
                        /** @enum {unknown} */
                        state: "online" | "degraded" | "offline" | "unconfigured";
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
    removeProviderKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "ollama" | "openai" | "anthropic" | "builtin";
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
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    probeProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "ollama" | "openai" | "anthropic" | "builtin";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A provider of models, and how it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where it is asked, without credentials. */
                        base_url: string | null;
                        /**
                         * Format: date-time
                         * @description When it was last asked.
                         */
                        checked_at: string;
                        /** @description Whether it has what it needs to be asked. */
                        configured: boolean;
                        /** @description The key that is shown to it. The key itself is never told. */
                        key: {
                            /** @description The last four characters; null for a key too short to be told by them. */
                            hint: string | null;
                            /** @description Where the key comes from; a key of the environment wins over a stored one. */
                            source: ("environment" | "stored") | (never | null);
                            /** Format: date-time */
                            updated_at: string | null;
                            /** @description The account that stored it. */
                            updated_by: string | null;
                        };
                        /** @description How many models it has. */
                        models: number;
                        /** @enum {unknown} */
                        name: "ollama" | "openai" | "anthropic" | "builtin";
                        /** @description What is wrong, for people; null when nothing is. */
                        problem: string | null;
                        /** @description How long it took to answer. */
                        response_ms: number | null;
                        /** @enum {unknown} */
                        state: "online" | "degraded" | "offline" | "unconfigured";
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
    readUsage: {
        parameters: {
            query?: {
                /** @description Whose: your own without it; another account, or `all`, with the permission `administer llm`. */
                account?: string;
                from?: string;
                /** @description One or two of them, separated by a comma. */
                group_by?: string;
                model?: string;
                provider?: string;
                /** @description `gateway`, or the part of the platform that asked. */
                source?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date */
                        from: string;
                        /** @description By day, the earliest first; without days the dearest first, then the busiest. */
                        rows: {
                            account?: string;
                            /** @description Answered from memory. */
                            cache_hits: number;
                            cached_input_tokens: number;
                            calls: number;
                            cancelled: number;
                            day?: string;
                            failures: number;
                            /** @description Calls whose first token was timed. */
                            first_token_count: number;
                            first_token_ms_sum: number;
                            input_tokens: number;
                            /** @description Of the calls that were answered, but not from memory. */
                            latency_ms_sum: number;
                            micro_dollars: number;
                            model?: string;
                            output_tokens: number;
                            provider?: string;
                            source?: string;
                            /** @description Calls whose cost nobody knows; they are not in `micro_dollars`. */
                            unpriced_calls: number;
                        }[];
                        /** Format: date */
                        to: string;
                        /** @description All calls of the days together. */
                        totals: {
                            /** @description Answered from memory. */
                            cache_hits: number;
                            cached_input_tokens: number;
                            calls: number;
                            cancelled: number;
                            failures: number;
                            /** @description Calls whose first token was timed. */
                            first_token_count: number;
                            first_token_ms_sum: number;
                            input_tokens: number;
                            /** @description Of the calls that were answered, but not from memory. */
                            latency_ms_sum: number;
                            micro_dollars: number;
                            output_tokens: number;
                            /** @description Calls whose cost nobody knows; they are not in `micro_dollars`. */
                            unpriced_calls: number;
                        };
                        /** @description There are more rows than these. */
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
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    readBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Today's budget of the account that asks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date
                         * @description In UTC.
                         */
                        day: string;
                        left_micro_dollars: number;
                        limit_micro_dollars: number;
                        /** @description Set aside for calls that run. */
                        reserved_micro_dollars: number;
                        /** Format: date-time */
                        resets_at: string;
                        spent_micro_dollars: number;
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
    listCalls: {
        parameters: {
            query?: {
                /** @description Whose: your own without it; another account, or `all`, with the permission `administer llm`. */
                account?: string;
                /** @description `next` of the page before. */
                after?: string;
                from?: string;
                /** @description Calls at most. */
                limit?: number;
                model?: string;
                outcome?: "answered" | "failed" | "cancelled" | "lost";
                provider?: string;
                /** @description `gateway`, or the part of the platform that asked. */
                source?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            account: string;
                            attempts: number;
                            cache_hit: boolean;
                            cached_input_tokens: number | null;
                            /** @description The provider did not say all it counted; tokens and cost are the most it can have been. */
                            estimated: boolean;
                            failure_code: string | null;
                            first_token_ms: number | null;
                            /** @description `X-Call-Id` of its answer. */
                            id: string;
                            input_tokens: number | null;
                            latency_ms: number | null;
                            /** @description Null when the model is unpriced. */
                            micro_dollars: number | null;
                            model: string;
                            outcome: string;
                            output_tokens: number | null;
                            price_source: string;
                            price_version: string | null;
                            provider: string;
                            /** @description As the caller wrote it. */
                            requested_model: string;
                            source: string;
                            /** Format: date-time */
                            started_at: string;
                        }[];
                        next: string | null;
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
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    frequency_penalty?: number;
                    /** @description The newer name of `max_tokens`; one of the two. */
                    max_completion_tokens?: number;
                    /** @description Tokens of the answer at most. */
                    max_tokens?: number;
                    messages: {
                        /** @description A text, or parts of one, which are put together line by line. */
                        content: string | {
                            text: string;
                            /** @enum {string} */
                            type: "text";
                        }[];
                        /** @description What the model thought before an earlier answer. It is not shown to a model again. */
                        reasoning_content?: string;
                        /**
                         * @description `developer` is the newer name of `system`.
                         * @enum {unknown}
                         */
                        role: "developer" | "system" | "user" | "assistant";
                    }[];
                    /** @description What the call is about; told in the log of this platform alone. */
                    metadata?: {
                        [key: string]: string;
                    };
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    presence_penalty?: number;
                    response_format?: {
                        json_schema?: {
                            description?: string;
                            name: string;
                            schema?: {
                                [key: string]: unknown;
                            };
                            /** @description An answer in one piece satisfies the schema, or the call fails; with false the model is only asked to. */
                            strict?: boolean;
                        };
                        /** @enum {unknown} */
                        type: "text" | "json_object" | "json_schema";
                    };
                    /** @description The newer name of `user`. */
                    safety_identifier?: string;
                    seed?: number;
                    stop?: string | string[];
                    /**
                     * @description Server-sent events, as the answer comes.
                     * @default false
                     */
                    stream?: boolean;
                    stream_options?: {
                        /** @enum {boolean} */
                        include_obfuscation?: false;
                        /** @description One more event before the last, with the tokens of the call. */
                        include_usage?: boolean;
                    };
                    temperature?: number;
                    top_p?: number;
                    /** @description Who the call is for; told in the log of this platform alone. */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description The answer, or events as it comes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        choices: {
                            /** @description `stop`, `length` or `content_filter`. */
                            finish_reason: string;
                            index: number;
                            /** @enum {object|null} */
                            logprobs: never | null;
                            message: {
                                content: string;
                                /** @description What the model thought aloud. */
                                reasoning_content?: string;
                                /** @enum {object|null} */
                                refusal: never | null;
                                /** @enum {string} */
                                role: "assistant";
                            };
                        }[];
                        /** @description Seconds since 1970. */
                        created: number;
                        /** @description Ends with the id of the call, which `X-Call-Id` has as well. */
                        id: string;
                        /** @description The one that answered. */
                        model: string;
                        /** @enum {string} */
                        object: "chat.completion";
                        /** @description As the provider counted. */
                        usage: {
                            completion_tokens: number;
                            prompt_tokens: number;
                            prompt_tokens_details?: {
                                cached_tokens: number;
                            };
                            total_tokens: number;
                        } | null;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    createCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    frequency_penalty?: number;
                    /** @description Tokens of the answer at most. */
                    max_tokens?: number;
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    presence_penalty?: number;
                    /** @description A text, or a list with one. */
                    prompt: string;
                    seed?: number;
                    stop?: string | string[];
                    /**
                     * @description Server-sent events, as the answer comes.
                     * @default false
                     */
                    stream?: boolean;
                    stream_options?: {
                        /** @enum {boolean} */
                        include_obfuscation?: false;
                        /** @description One more event before the last, with the tokens of the call. */
                        include_usage?: boolean;
                    };
                    /** @description What comes after the answer. Understood by nodes of the cluster alone. */
                    suffix?: string;
                    temperature?: number;
                    top_p?: number;
                    /** @description Who the call is for; told in the log of this platform alone. */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description The answer, or events as it comes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        choices: {
                            /** @description `stop`, `length` or `content_filter`. */
                            finish_reason: string;
                            index: number;
                            /** @enum {object|null} */
                            logprobs: never | null;
                            text: string;
                        }[];
                        /** @description Seconds since 1970. */
                        created: number;
                        /** @description Ends with the id of the call, which `X-Call-Id` has as well. */
                        id: string;
                        /** @description The one that answered. */
                        model: string;
                        /** @enum {string} */
                        object: "text_completion";
                        /** @description As the provider counted. */
                        usage: {
                            completion_tokens: number;
                            prompt_tokens: number;
                            prompt_tokens_details?: {
                                cached_tokens: number;
                            };
                            total_tokens: number;
                        } | null;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    createEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    dimensions?: number;
                    /**
                     * @description `base64` has the numbers as 32-bit floats, the low byte first.
                     * @default float
                     * @enum {unknown}
                     */
                    encoding_format?: "float" | "base64";
                    input: string | string[];
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    /** @description Who the call is for; told in the log of this platform alone. */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description One vector for each input, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            embedding: number[] | string;
                            index: number;
                            /** @enum {string} */
                            object: "embedding";
                        }[];
                        model: string;
                        /** @enum {string} */
                        object: "list";
                        usage: {
                            prompt_tokens: number;
                            total_tokens: number;
                        } | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    listOpenAiModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Seconds since 1970; 0 when nobody says. */
                            created: number;
                            id: string;
                            /** @enum {string} */
                            object: "model";
                            owned_by: string;
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
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    readOpenAiModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                "*": string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds since 1970; 0 when nobody says. */
                        created: number;
                        id: string;
                        /** @enum {string} */
                        object: "model";
                        owned_by: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
}
