// Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file.

export interface paths {
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
    "/api/v1/user/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account of the caller */
        get: operations["readProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Goes into `X-CSRF-Token` of every write that is authenticated by the cookie `SESS`.
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
                        /** @description What all roles together allow. */
                        permissions: string[];
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
