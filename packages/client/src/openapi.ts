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
         * List pets
         * @description Returns a page of pets in a stable order. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every pet that exists and matches for the whole walk exactly once. Needs the scope `pets:read`.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add a pet
         * @description Adds a new pet. Once this returns 201, the pet is stored durably. With an `Idempotency-Key`, the request can be retried without adding a second one. Needs the scope `pets:write`.
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
         * Fetch one pet
         * @deprecated
         * @description Returns one pet by id. Deprecated: use `GET /pets` with the `id` or `status` filter. Needs the scope `pets:read`.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        /**
         * Delete a pet
         * @description Deletes a pet. Its id is never used again. With `If-Match`, the pet is deleted only if it still has that version. A pet that an order holds cannot be deleted. Needs the scope `pets:delete`.
         */
        delete: operations["deletePet"];
        options?: never;
        head?: never;
        /**
         * Change a pet
         * @description Changes the fields that the body has, and returns the pet with its new version. Setting the values that a pet has changes nothing and makes no new version. With `If-Match`, the pet is changed only if it still has that version. While an order holds the pet, its status belongs to the order. A pet that is sold leaves this status only with its version in `If-Match`. Setting `pending` reserves nothing: of two clients that set it, both get 200. Needs the scope `pets:edit`.
         */
        patch: operations["updatePet"];
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns a page of orders, newest first. If there may be more, the `Link` header contains the URL of the next page (`rel="next"`). A filtered page may be short or empty and still have a next one: only a missing `Link` is the end. Following these links returns every order that exists and matches for the whole walk exactly once. Needs the scope `orders:read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description Orders one pet that is `available`. The pet becomes `pending` and stays reserved until the order is completed (`sold`), cancelled or expires (`available`). Of several requests for the same pet one succeeds. Once this returns 201, the order is stored durably. With an `Idempotency-Key`, the request can be retried without placing a second one: it returns the order as it was placed. Needs the scope `orders:write`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch one order
         * @description Returns one order by id. Needs the scope `orders:read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an order
         * @description Ends the order as `completed`; its pet becomes `sold`. This is final. Has no body. Repeating it returns the same order. Authorise a payment before it, and capture it afterwards: of completion, cancellation and expiry only one happens. Needs the scope `orders:write`.
         */
        post: operations["completeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Ends the order as `cancelled`; its pet becomes `available` again. Has no body. Repeating it returns the same order. Needs the scope `orders:write`.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns a page of the feed: every change of every pet, in one order that never changes. The `Link` header always contains the URL of the next page (`rel="next"`), also on an empty page: the feed has no end. Following these links returns every event exactly once. With `wait`, the service responds as soon as there is an event, or with an empty page when the time is over. With `petId`, the events are those of one pet. Needs the scope `events:read`.
         */
        get: operations["listEvents"];
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
         * @description Returns the scopes, expiry and rate limit of the key that makes the request. Needs no scope.
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
         * List your deprecated calls
         * @description Returns which deprecated operations this key called, how often and when, and what to call instead. New calls appear within a few seconds. Needs no scope.
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
             * @description Machine-readable error code. Later versions may return codes that are not listed here.
             * @example invalid_json
             * @example invalid_body
             * @example invalid_parameter
             * @example invalid_cursor
             * @example invalid_idempotency_key
             * @example bad_request
             * @example missing_credentials
             * @example invalid_credentials
             * @example expired_credentials
             * @example revoked_credentials
             * @example insufficient_scope
             * @example pet_not_found
             * @example order_not_found
             * @example route_not_found
             * @example method_not_allowed
             * @example request_timeout
             * @example idempotency_in_progress
             * @example pet_not_available
             * @example pet_reserved
             * @example order_closed
             * @example cursor_expired
             * @example version_mismatch
             * @example payload_too_large
             * @example unsupported_media_type
             * @example idempotency_key_reused
             * @example version_required
             * @example rate_limited
             * @example headers_too_large
             * @example internal_error
             * @example unavailable
             * @example overloaded
             */
            code: string;
            /** @description Human-readable description: what was wrong and what is allowed. */
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
        /** @description A pet to add. */
        NewPet: {
            /**
             * @description The pet’s name: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character.
             * @example Rex
             */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the pet belongs to.
             * @example 7
             */
            categoryId: bigint;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description A pet in the store. */
        Pet: {
            /**
             * Format: int64
             * @description Unique identifier assigned by the service on creation.
             * @example 1
             */
            id: bigint;
            /**
             * @description The pet’s name: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character.
             * @example Rex
             */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the pet belongs to.
             * @example 7
             */
            categoryId: bigint;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description A pet with its version, and the order that holds it. */
        PetRecord: {
            /**
             * Format: int64
             * @description Unique identifier assigned by the service on creation.
             * @example 1
             */
            id: bigint;
            /**
             * @description The pet’s name: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character.
             * @example Rex
             */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the pet belongs to.
             * @example 7
             */
            categoryId: bigint;
            status?: components["schemas"]["PetStatus"];
            /**
             * Format: int64
             * @description The version of the pet: 1 when it is added, one more with each change.
             * @example 1
             */
            version: bigint;
            /**
             * @description The order that holds the pet; absent if there is none.
             * @example ord_AAAAAAAAAjQ8diTHYAAF
             */
            orderId?: string;
        };
        /** @description Pets, in a stable order. */
        Pets: components["schemas"]["Pet"][];
        /** @description What to change: at least one of the fields of a pet. The others stay as they are (a JSON merge patch, RFC 7396). */
        PetPatch: {
            /**
             * @description The pet’s name: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character.
             * @example Rex
             */
            name?: string;
            /**
             * Format: int64
             * @description Identifier of the category the pet belongs to.
             * @example 7
             */
            categoryId?: bigint;
            /**
             * @description Availability status; `null` removes it.
             * @example available
             * @enum {string|null}
             */
            status?: "available" | "pending" | "sold" | null;
        };
        /**
         * @description An order is `placed` until it is completed or cancelled, or expires.
         * @example placed
         * @enum {string}
         */
        OrderStatus: "placed" | "completed" | "cancelled" | "expired";
        /** @description An order to place. */
        NewOrder: {
            /**
             * Format: int64
             * @description The pet that is ordered.
             * @example 1
             */
            petId: bigint;
            /**
             * Format: int32
             * @description After how many seconds the order expires, unless it was completed or cancelled.
             * @default 900
             * @example 900
             */
            expiresIn?: number;
            /**
             * @description Your own identifier, such as that of a basket: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character. Several orders may share one.
             * @example basket-4711
             */
            reference?: string;
        };
        /** @description An order for one pet. While it is `placed`, it holds the pet, which is `pending`. */
        Order: {
            /**
             * @description Identifies the order. Opaque and case-sensitive.
             * @example ord_AAAAAAAAATQ8diTHYBJn
             */
            id: string;
            /**
             * Format: int64
             * @description The pet that is ordered.
             * @example 1
             */
            petId: bigint;
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description When it was placed.
             * @example 2026-11-16T09:30:00.123Z
             */
            placedAt: string;
            /**
             * Format: date-time
             * @description When it expires, if nothing ends it before.
             * @example 2026-11-16T09:45:00.123Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it ended. Absent while it is `placed`.
             * @example 2026-11-16T09:40:00.456Z
             */
            closedAt?: string;
            /**
             * @description Your own identifier, such as that of a basket: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character. Several orders may share one.
             * @example basket-4711
             */
            reference?: string;
        };
        /** @description Orders, newest first. */
        Orders: components["schemas"]["Order"][];
        /** @description One change of one pet: a CloudEvent 1.0. */
        Event: {
            /**
             * @description The version of CloudEvents.
             * @example 1.0
             */
            specversion: string;
            /**
             * @description Identifies the event. An event that comes again has the same id.
             * @example evt_AAAAAAAAAQAAAAAAAgAGYGFr_VZ4
             */
            id: string;
            /**
             * @description The service that the event comes from.
             * @example https://pets.example/v1
             */
            source: string;
            /**
             * @description What happened: `pet.created`, `pet.updated`, `pet.deleted`, `order.placed`, `order.completed`, `order.cancelled`, `order.expired`, `pets.imported`. Later versions may add types: ignore those that you do not know.
             * @example order.placed
             */
            type: string;
            /**
             * @description The pet, `pets/` and its id; `pets` for all of them.
             * @example pets/1
             */
            subject: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-16T09:30:00.123Z
             */
            time: string;
            /**
             * @description Its place in the feed: 16 digits, one more than the event before. Absent in the history of a pet.
             * @example 0000000000000042
             */
            sequence?: string;
            /** @description The pet after the change (of `pet.deleted` as it was last), and the order if one changed. */
            data: {
                pet?: components["schemas"]["PetRecord"];
                order?: components["schemas"]["Order"];
                /**
                 * @description The fields of the pet that differ from before.
                 * @example [
                 *       "status"
                 *     ]
                 */
                changed?: string[];
                /**
                 * @description The API key of the client. Absent where the service itself acted.
                 * @example key_1a2b3c4d5e6f
                 */
                keyId?: string;
                /**
                 * Format: int64
                 * @description How many pets an import added.
                 * @example 1000
                 */
                added?: bigint;
            };
        };
        /** @description Events, oldest first. */
        Events: components["schemas"]["Event"][];
        /** @description An API key, without its secret. */
        Key: {
            /**
             * @description Identifies the key to the operator; not a secret.
             * @example key_0a1B2c3D4e5F6g7H
             */
            id: string;
            /**
             * @description The name that the operator gave it.
             * @example shop floor
             */
            name: string;
            /**
             * @description Whether the key starts with petk_live_ or petk_test_. A label only: both work on the same pets.
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
             * @description When it was created.
             * @example 2026-11-15T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it expires; null if never.
             * @example 2027-11-15T09:30:00.000Z
             */
            expiresAt: string | null;
            /** @description The rate limit of this key, if it has one. */
            rateLimit?: {
                /**
                 * @description How many requests each window allows.
                 * @example 100
                 */
                quota: number;
                /**
                 * @description The length of a window in seconds.
                 * @example 1
                 */
                windowSeconds: number;
            };
            /**
             * @description The id of the key that replaced it; ask the operator for that key.
             * @example key_7H6g5F4e3D2c1B0a
             */
            replacedBy?: string;
        };
        /** @description How one key uses one deprecated operation. */
        DeprecatedUse: {
            /**
             * @description The deprecated operation that this key called.
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
             * @description How often this key called it.
             * @example 12
             */
            calls: bigint;
            /**
             * Format: date-time
             * @description When this key first called it.
             * @example 2026-11-20T09:15:00.000Z
             */
            firstCalled: string;
            /**
             * Format: date-time
             * @description When this key last called it.
             * @example 2026-12-01T17:30:00.000Z
             */
            lastCalled: string;
            /**
             * Format: date
             * @description The day on which it will be removed.
             * @example 2030-12-05
             */
            sunset: string;
            /**
             * @description What to call instead.
             * @example /v1/pets?id={petId}
             */
            successor: string;
            /**
             * @description Where the change is documented.
             * @example /docs#get-pet
             */
            documentation: string;
        };
        /** @description The deprecated operations that this key called. Empty if there are none. */
        DeprecatedUses: components["schemas"]["DeprecatedUse"][];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the logs. Your own Request-Id, if you sent a well-formed one. */
        RequestId: string;
        /** @description The URL of the next page, as `rel="next"`. Absent on the last page. */
        NextLink: string;
        /** @description The URL of the new resource. */
        Location: string;
        /** @description `true` if an earlier request with the same Idempotency-Key created it. */
        IdempotentReplayed: string;
        /** @description The version of the pet, in quotes. */
        ETag: string;
        /** @description The media types that a `PATCH` may have. */
        AcceptPatch: string;
        /** @description When your key expires (an HTTP-date). Sent in its last 14 days. Ask the operator for a new one. */
        KeyExpires: string;
        /** @description The expected credential, and what was wrong with the one sent. */
        WwwAuthenticate: string;
        /** @description How many seconds to wait before trying again. */
        RetryAfter: string;
        /** @description The rate limit of the key, if it has one: `q` requests in each `w` seconds. */
        RateLimitPolicy: string;
        /** @description How many requests are left, `r`, and in how many seconds the limit resets, `t`. */
        RateLimit: string;
        /** @description Since when the operation is deprecated (RFC 9745). */
        Deprecation: string;
        /** @description When the operation will be removed (RFC 8594). */
        Sunset: string;
        /** @description The documentation of the deprecation (`rel="deprecation"`) and the replacement (`rel="successor-version"`). */
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
                 * @description Maximum number of pets returned.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Returns only pets with this availability status.
                 * @example sold
                 */
                status?: "available" | "pending" | "sold";
                /**
                 * @description Where the page starts. Opaque: take it from the Link header of the previous page.
                 * @example AQAAAAAAAAAC
                 */
                cursor?: string;
                /**
                 * @description Returns only the pets with these ids, comma-separated. Replaces getPet.
                 * @example [
                 *       1,
                 *       2
                 *     ]
                 */
                id?: bigint[];
                /**
                 * @description Returns only the pets of this category.
                 * @example 7
                 */
                categoryId?: bigint;
                /**
                 * @description The order of the walk: by ascending id (`oldest`) or by descending id (`newest`). A cursor continues only the walk it comes from.
                 * @example newest
                 */
                sort?: "oldest" | "newest";
                /**
                 * @description What is returned of each pet: a `Pet` (`basic`), or a `PetRecord`, which has a `version` and the `orderId` of an order that holds it (`full`).
                 * @example full
                 */
                view?: "basic" | "full";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. With `view=full`, each item is a `PetRecord`. */
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
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
                 * @description Any text of your choice, bare or as a quoted string. The same key with the same body, sent again within 24 hours, returns what the first request created and creates nothing, so a request whose response was lost can be retried. Separate for each operation. An API key shares them with the keys that it was rotated from or to.
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
            /** @description Pet added; the body carries the assigned `id`. */
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
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description Another request with the same `Idempotency-Key` was still running when this one reached its deadline. */
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
            /** @description The Idempotency-Key was used for a different body. */
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
                 * @description The id of the pet.
                 * @example 1
                 */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pet found. */
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
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    deletePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Carries out the request only if the pet has this version: the `ETag` of an earlier response, or `version` in quotes. Several are separated by commas; `*` stands for any. Otherwise the response is 412, with the current `ETag`.
                 * @example "4"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the pet.
                 * @example 1
                 */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet is deleted. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The requested resource could not be found. */
            404: {
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
            /** @description An open order holds the pet: its status cannot be changed and it cannot be deleted. */
            409: {
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
            /** @description `If-Match` names another version than the pet has; `ETag` is the current one. */
            412: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    updatePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Carries out the request only if the pet has this version: the `ETag` of an earlier response, or `version` in quotes. Several are separated by commas; `*` stands for any. Otherwise the response is 412, with the current `ETag`.
                 * @example "4"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the pet.
                 * @example 1
                 */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PetPatch"];
                "application/json": components["schemas"]["PetPatch"];
            };
        };
        responses: {
            /** @description The pet as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PetRecord"];
                };
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The requested resource could not be found. */
            404: {
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
            /** @description An open order holds the pet: its status cannot be changed and it cannot be deleted. */
            409: {
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
            /** @description `If-Match` names another version than the pet has; `ETag` is the current one. */
            412: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
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
            /** @description The body is not declared as one of the types in `Accept-Patch`. */
            415: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Accept-Patch": components["headers"]["AcceptPatch"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Taking back a sale needs `If-Match` with the version of the pet. */
            428: {
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of orders returned.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Returns only orders with this status.
                 * @example placed
                 */
                status?: "placed" | "completed" | "cancelled" | "expired";
                /**
                 * @description Returns only orders for this pet. Not together with `reference`.
                 * @example 1
                 */
                petId?: bigint;
                /**
                 * @description Returns only orders with this reference. Not together with `petId`.
                 * @example basket-4711
                 */
                reference?: string;
                /**
                 * @description Where the page starts. Opaque: take it from the Link header of the previous page.
                 * @example AzQ8diTHYBJnAAAAAAAAAAE
                 */
                cursor?: string;
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
                    "application/json": components["schemas"]["Orders"];
                };
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your choice, bare or as a quoted string. The same key with the same body, sent again within 24 hours, returns what the first request created and creates nothing, so a request whose response was lost can be retried. Separate for each operation. An API key shares them with the keys that it was rotated from or to.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description Order placed; the pet is reserved. */
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
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The requested resource could not be found. */
            404: {
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
            /** @description Another request with the same `Idempotency-Key` was still running when this one reached its deadline. The pet cannot be ordered: it is pending, sold or has no status. The message says which. */
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
            /** @description The Idempotency-Key was used for a different body. */
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the order.
                 * @example ord_AAAAAAAAATQ8diTHYBJn
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Order found. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The requested resource could not be found. */
            404: {
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    completeOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the order.
                 * @example ord_AAAAAAAAATQ8diTHYBJn
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Order completed. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The requested resource could not be found. */
            404: {
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
            /** @description The order has already ended another way. The message says how and when. */
            409: {
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the order.
                 * @example ord_AAAAAAAAATQ8diTHYBJn
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Order cancelled. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The requested resource could not be found. */
            404: {
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
            /** @description The order has already ended another way. The message says how and when. */
            409: {
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of events returned.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Where a walk without a cursor starts: at the oldest event that is kept, or after the newest.
                 * @example now
                 */
                from?: "oldest" | "now";
                /**
                 * @description For how many seconds to wait for an event if there is none. The response comes as soon as there is one.
                 * @example 9
                 */
                wait?: number;
                /**
                 * @description Returns only events of these types, comma-separated. A page may then be empty before the end of the feed.
                 * @example [
                 *       "order.placed",
                 *       "order.expired"
                 *     ]
                 */
                type?: ("pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.completed" | "order.cancelled" | "order.expired" | "pets.imported")[];
                /**
                 * @description Returns the history of this pet, by version, also if it was deleted. Not together with `from`, `wait` or `type`.
                 * @example 1
                 */
                petId?: bigint;
                /**
                 * @description Where the page starts. Opaque: take it from the Link header of the previous page.
                 * @example BAAAAAAAAAAqAAAAAAAAEmc
                 */
                cursor?: string;
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
                    "application/json": components["schemas"]["Events"];
                };
            };
            /** @description The request contains invalid values. */
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
            /** @description The key does not have the scope that this operation needs. */
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
            /** @description The events after this cursor are no longer in the feed: they are too old, or the store was restored. */
            410: {
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
            /** @description The request contains invalid values. */
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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
            /** @description The request contains invalid values. */
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
            /** @description The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds. */
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
            /** @description The request line and headers are over 16 KiB in total. */
            431: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error of the service. */
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
            /** @description The service cannot reach its database, or is overloaded. Try again after Retry-After seconds. */
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

/** The codes that the service is known to return. */
export type KnownErrorCode = 'invalid_json' | 'invalid_body' | 'invalid_parameter' | 'invalid_cursor' | 'invalid_idempotency_key' | 'bad_request' | 'missing_credentials' | 'invalid_credentials' | 'expired_credentials' | 'revoked_credentials' | 'insufficient_scope' | 'pet_not_found' | 'order_not_found' | 'route_not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_in_progress' | 'pet_not_available' | 'pet_reserved' | 'order_closed' | 'cursor_expired' | 'version_mismatch' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'version_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'overloaded';

/** The fields of each schema, and of what it contains, that are 64-bit integers. */
export const INT64 = {
  NewPet: ['categoryId'],
  Pet: ['id', 'categoryId'],
  PetRecord: ['id', 'categoryId', 'version'],
  PetPatch: ['categoryId'],
  NewOrder: ['petId'],
  Order: ['petId'],
  Event: ['id', 'categoryId', 'version', 'petId', 'added'],
  DeprecatedUse: ['calls'],
} as const;
