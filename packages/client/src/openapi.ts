// Generated from openapi.json by `npm run generate`; not written by hand.

export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List animals
         * @description Returns a page of animals in a stable order. When more follow, the `Link` header holds the address of the next page (`rel="next"`). A walk along these links meets every animal that exists and matches all the while exactly once.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add an animal
         * @description Adds a new animal. When this answers 201, the animal is stored durably. With an `Idempotency-Key`, repeating the call adds no second one.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch one animal
         * @deprecated
         * @description Returns one animal by identifier. Deprecated: use `GET /pets` with the `id` or `status` filter.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show your key
         * @description Returns what the key that you call with may do, until when, and its limit. Needs no scope.
         */
        get: operations["getOwnKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deprecations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what you call that is deprecated
         * @description For the key that asks: which deprecated operations it has called, how often and when, and what to call instead. Calls are counted within a few seconds. Needs no scope.
         */
        get: operations["listDeprecations"];
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
        /** @description The body of every response that is not a success. */
        Error: {
            /**
             * @description Machine-readable error code.
             * @enum {string}
             */
            code: "invalid_json" | "invalid_body" | "invalid_parameter" | "invalid_cursor" | "invalid_idempotency_key" | "bad_request" | "missing_credentials" | "invalid_credentials" | "expired_credentials" | "revoked_credentials" | "insufficient_scope" | "pet_not_found" | "route_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable" | "overloaded";
            /** @description Human-readable description: what was wrong, and what is allowed. */
            message: string;
            /** @description The HTTP status code of the response. */
            status: number;
        };
        /**
         * @description Availability status.
         * @example available
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /** @description An animal to add. */
        NewPet: {
            /**
             * @description The animal’s name: 1 to 255 characters, at least one of them visible, none a control character.
             * @example Rex
             */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the animal belongs to.
             * @example 7
             */
            categoryId: bigint;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description An animal in the store. */
        Pet: {
            /**
             * Format: int64
             * @description Unique identifier assigned by the service on creation.
             * @example 1
             */
            id: bigint;
            /**
             * @description The animal’s name: 1 to 255 characters, at least one of them visible, none a control character.
             * @example Rex
             */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the animal belongs to.
             * @example 7
             */
            categoryId: bigint;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description Animals, in a stable order. */
        Pets: components["schemas"]["Pet"][];
        /** @description An API key, without its text. */
        Key: {
            /**
             * @description By which the operator knows the key; no secret.
             * @example key_0a1B2c3D4e5F6g7H
             */
            id: string;
            /**
             * @description What the operator has called it.
             * @example shop floor
             */
            name: string;
            /**
             * @description As the text of the key says.
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description What the key may do.
             * @example [
             *       "pets:read"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ends; null if never.
             * @example 2027-11-15T09:30:00.000Z
             */
            expiresAt: string | null;
            /** @description The limit that holds for this key, where one does. */
            rateLimit?: {
                /**
                 * @description So many calls …
                 * @example 100
                 */
                quota: number;
                /**
                 * @description … in each window of so many seconds.
                 * @example 1
                 */
                windowSeconds: number;
            };
            /**
             * @description The id of the key that was made in its place: ask the operator for that one.
             * @example key_7H6g5F4e3D2c1B0a
             */
            replacedBy?: string;
        };
        /** @description How one key uses one deprecated operation. */
        DeprecatedUse: {
            /**
             * @description The deprecated operation that this key has called.
             * @example getPet
             */
            operation: string;
            /**
             * @description Its method.
             * @example GET
             */
            method: string;
            /**
             * @description Its path.
             * @example /v1/pets/{petId}
             */
            path: string;
            /**
             * Format: int64
             * @description How often this key has called it.
             * @example 12
             */
            calls: bigint;
            /**
             * Format: date-time
             * @description When this key called it first.
             * @example 2026-11-20T09:15:00.000Z
             */
            firstCalled: string;
            /**
             * Format: date-time
             * @description When this key called it last.
             * @example 2026-12-01T17:30:00.000Z
             */
            lastCalled: string;
            /**
             * Format: date
             * @description The day on which it goes away.
             * @example 2030-12-05
             */
            sunset: string;
            /**
             * @description What to call instead.
             * @example /v1/pets?id={petId}
             */
            successor: string;
            /**
             * @description Where the change is explained.
             * @example /docs#get-pet
             */
            documentation: string;
        };
        /** @description What this key has called of what is deprecated. Empty where there is nothing to do. */
        DeprecatedUses: components["schemas"]["DeprecatedUse"][];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this answer in the log. Your own Request-Id, if you sent a well-formed one. */
        RequestId: string;
        /** @description The address of the next page, as `rel="next"`. Absent on the last page. */
        NextLink: string;
        /** @description Where the new animal is. */
        Location: string;
        /** @description `true` where the animal was added by an earlier call with the same Idempotency-Key. */
        IdempotentReplayed: string;
        /** @description When the key ends that you call with (an HTTP-date), in its last 14 days. Ask the operator for a new one. */
        KeyExpires: string;
        /** @description What a credential must be, and what was wrong with the one sent. */
        WwwAuthenticate: string;
        /** @description Seconds to wait before trying again. */
        RetryAfter: string;
        /** @description The limit of the key, where it has one: `q` calls in each `w` seconds. */
        RateLimitPolicy: string;
        /** @description How many calls are left, `r`, and in how many seconds there are all again, `t`. */
        RateLimit: string;
        /** @description Since when the operation is deprecated (RFC 9745). */
        Deprecation: string;
        /** @description When the operation goes away (RFC 8594). */
        Sunset: string;
        /** @description Why it is deprecated (`rel="deprecation"`) and what to call instead (`rel="successor-version"`). */
        DeprecationLink: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of animals returned.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Returns only animals with this availability status.
                 * @example sold
                 */
                status?: "available" | "pending" | "sold";
                /**
                 * @description Where the page begins. Opaque: take it from the Link header of the page before, never make one.
                 * @example AQAAAAAAAAAC
                 */
                cursor?: string;
                /**
                 * @description Returns only the animals with these identifiers, comma-separated. Replaces getPet.
                 * @example [
                 *       1,
                 *       2
                 *     ]
                 */
                id?: bigint[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["NextLink"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pets"];
                };
            };
            /** @description The request holds invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credential missing or invalid. */
            401: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope that this operation needs. */
            403: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit of the key is reached, or too many calls without a valid key came from this address. Try again after Retry-After seconds. */
            429: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request line and headers are over 16 KiB together. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service cannot reach its database, or has too much to do. Try again after Retry-After seconds. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours, as it is or as a quoted string. Whoever sends the same key again, with the same animal, within 24 hours gets the animal that was added first, and no second one: a call whose answer was lost can be repeated. Each API key has its own.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description Animal added; the body carries the assigned `id`. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The request holds invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credential missing or invalid. */
            401: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope that this operation needs. */
            403: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another call with the same Idempotency-Key is still under way. Try again after Retry-After seconds. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is over 65,536 bytes. */
            413: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as plain application/json. */
            415: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used for another animal. */
            422: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit of the key is reached, or too many calls without a valid key came from this address. Try again after Retry-After seconds. */
            429: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request line and headers are over 16 KiB together. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service cannot reach its database, or has too much to do. Try again after Retry-After seconds. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the animal to retrieve.
                 * @example 1
                 */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Animal found. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The request holds invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credential missing or invalid. */
            401: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope that this operation needs. */
            403: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The requested resource could not be found. */
            404: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit of the key is reached, or too many calls without a valid key came from this address. Try again after Retry-After seconds. */
            429: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request line and headers are over 16 KiB together. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service cannot reach its database, or has too much to do. Try again after Retry-After seconds. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description The request holds invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credential missing or invalid. */
            401: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit of the key is reached, or too many calls without a valid key came from this address. Try again after Retry-After seconds. */
            429: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request line and headers are over 16 KiB together. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service cannot reach its database, or has too much to do. Try again after Retry-After seconds. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeprecations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeprecatedUses"];
                };
            };
            /** @description The request holds invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credential missing or invalid. */
            401: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit of the key is reached, or too many calls without a valid key came from this address. Try again after Retry-After seconds. */
            429: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request line and headers are over 16 KiB together. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service cannot reach its database, or has too much to do. Try again after Retry-After seconds. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
