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
         * @description Returns a page of pets in a stable order. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every pet that exists and matches for the whole walk exactly once. With `name`, a page may be short or empty and still have a next one. Needs the scope `pets:read`.
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
    "/pets/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count pets
         * @description Returns how many pets match, up to 1,000: a count of 1000 with `isMore` stands for 1,000 or more. Counting by `id` or `name` is not offered. Needs the scope `pets:read`.
         */
        get: operations["countPets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the pets of a category by status
         * @description Returns how many pets of a category have each status, and how many have none: all of them as of one moment. Each count goes up to 1,000: 1000 stands for 1,000 or more. A category without pets, or without a name, is no error. Needs the scope `pets:read`.
         */
        get: operations["countPetsByStatus"];
        put?: never;
        post?: never;
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
         * @description Deletes a pet. Its id is never used again. With `If-Match`, the pet is deleted only if it still has that version. A pet that an order holds cannot be deleted. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more. Needs the scope `pets:delete`.
         */
        delete: operations["deletePet"];
        options?: never;
        head?: never;
        /**
         * Change a pet
         * @description Changes the fields that the body has, and returns the pet with its new version. Setting the values that a pet has changes nothing and makes no new version. With `If-Match`, the pet is changed only if it still has that version. While an order holds the pet, its status belongs to the order. A pet that is sold leaves this status only with its version in `If-Match`. Setting `pending` reserves nothing: of two clients that set it, both get 200. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more. Needs the scope `pets:edit`.
         */
        patch: operations["updatePet"];
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description Returns a page of the categories that have a name, by ascending id. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every record that exists and matches for the whole walk exactly once. With `counts=true`, each comes with how many pets it has of each status, counted up to 100, and `limit` is at most 20. Needs the scope `pets:read`.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{categoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Name a category
         * @description Gives a category its name, or another one: 201 if it had none, else 200. Setting the name that it has changes nothing and makes no new version. With `If-Match`, the name is changed only if the record still has that version; with `If-None-Match: *`, only a category without a name gets one. Pets stay as they are, and there is no event. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more. Needs the scope `categories:write`.
         */
        put: operations["putCategory"];
        post?: never;
        /**
         * Remove the name of a category
         * @description Deletes the record of a category. Its pets stay as they are, and keep its id. With `If-Match`, it is deleted only if it still has that version. A name that is given later begins with version 1 again. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more. Needs the scope `categories:write`.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Returns a page of orders, newest first unless `sort` says otherwise. If there may be more, the `Link` header contains the URL of the next page (`rel="next"`). A filtered page may be short or empty and still have a next one: only a missing `Link` is the end. Following these links returns every order that exists and matches for the whole walk exactly once. Needs the scope `orders:read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description Orders one pet that is `available`. The pet becomes `pending` and stays reserved until the order is completed (`sold`), cancelled or expires (`available`). Of several requests for the same pet one succeeds. A key, together with the keys it was rotated from and to, may have 1,000 open orders, unless the operator has set another limit. Once this returns 201, the order is stored durably. With an `Idempotency-Key`, the request can be retried without placing a second one: it returns the order as it was placed. Needs the scope `orders:write`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count orders
         * @description Returns how many orders there are, of one status if you like, and of those that have ended only the ones that did so in a span of time. Counts up to 1,000: a count of 1000 with `isMore` stands for 1,000 or more. Needs the scope `orders:read`.
         */
        get: operations["countOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count orders by period
         * @description Returns how many orders ended in each of up to 14 periods that follow each other, such as days: all of them as of one moment. An order that ended at a boundary belongs to the period that begins there. Each count goes up to 1,000: a count of 1000 with `isMore` stands for 1,000 or more. Needs the scope `orders:read`.
         */
        get: operations["countOrdersByPeriod"];
        put?: never;
        post?: never;
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
         * @description Ends the order as `completed`; its pet becomes `sold`. This is final. Has no body. Repeating it returns the same order. Authorise a payment before it, and capture it afterwards: of completion, cancellation and expiry only one happens. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more. Needs the scope `orders:write`.
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
         * @description Ends the order as `cancelled`; its pet becomes `available` again. Has no body. Repeating it returns the same order. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more. Needs the scope `orders:write`.
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
         * @description Returns a page of the feed: every change of every pet, in one order that never changes. The `Link` header always contains the URL of the next page (`rel="next"`), also on an empty page: the feed has no end. Following these links returns every event exactly once. With `wait`, the service responds as soon as there is an event, or with an empty page when the time is over. If too many requests wait already, the empty page comes at once, with `Retry-After`: send the next request after that many seconds. With `keyId`, they are the changes that one key made. With `petId`, the events are those of one pet. With `sort=newest`, pages start with the newest event and lead back to the oldest; the last one has no `Link`. Needs the scope `events:read`.
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
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns all webhooks, at most 20, oldest first. Needs the scope `webhooks:manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Sends the events from now on to a URL, each as a `POST` with a signature by Standard Webhooks. An event that the receiver does not accept is sent again until it does: events of one pet never overtake each other, and none is dropped. The response contains the secret that verifies the signatures; it is shown only here and when it is rotated. With an `Idempotency-Key`, the request can be retried without creating a second one: it returns the webhook as it is now, with its secret; once that was rotated, 422. The webhook delivers as long as your key, or one that replaced it by rotation, is valid. There can be 20 webhooks. Needs the scopes `webhooks:manage` and `events:read`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch one webhook
         * @description Returns one webhook by id: whether it is failing, and how far it is behind the feed. Needs the scope `webhooks:manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook. What is being sent to it may still arrive, for up to 15 seconds. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more. Needs the scope `webhooks:manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes the fields that the body has. `state` pauses the webhook, or continues where it stopped; `cursor` moves it, so that events are sent again or skipped. Another `url`, `state` `active` and a `cursor` forget earlier failures: the next attempt is made at once. From now on the webhook delivers for your key, in place of the one in `changedBy`. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing more, except that a `cursor` moves the webhook again, and earlier failures are forgotten again. Needs the scopes `webhooks:manage` and `events:read`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Gives the webhook a new secret, which the response contains. Until the overlap ends, each delivery is signed with both secrets, so receivers can be updated meanwhile. Only the last two secrets sign. Each request makes another one: if a response was lost, read `oldSecretEndsAt` before you repeat it. From now on the webhook delivers for your key. An `Idempotency-Key` is accepted and has no effect: repeating the request makes another secret. Needs the scopes `webhooks:manage` and `events:read`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of type `webhook.ping` to the URL, also if the webhook is paused or disabled. Has no body. The outcome is in the list of attempts, and does not count as a failure of the webhook. An `Idempotency-Key` is accepted and has no effect: repeating the request sends another test event. Needs the scope `webhooks:manage`.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try what waits now
         * @description Makes the next attempt of a failing webhook at once, in place of `nextAttemptAt`, also where the receiver asked for a longer wait with `Retry-After`. Has no body. At most once in 10 seconds: a request sooner has the attempt made when these are over, and `nextAttemptAt` shows when. If it fails, the waits continue as before. The outcome is in the list of attempts. An `Idempotency-Key` is accepted and has no effect: repeating the request changes nothing until the attempt was made, and then asks for another. Needs the scope `webhooks:manage`.
         */
        post: operations["retryWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a webhook
         * @description Returns the last 100 attempts to deliver an event, newest first. Needs the scope `webhooks:manage`.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Returns a page of all keys, newest first, also of those that have expired or were revoked; never their text. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every key that exists for the whole walk exactly once. Needs the scope `keys:read`.
         */
        get: operations["listKeys"];
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
    "/keys/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of keys
         * @description Returns the names of the 1,000 newest keys, newest first, also of those that have expired or were revoked: they are for showing who did what, where events, orders and webhooks have ids of keys. A client that has them sends their `ETag` in `If-None-Match`, and gets 304 as long as they are the same. Needs the scope `events:read`.
         */
        get: operations["listKeyNames"];
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
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how the service is doing
         * @description Returns the version of the service, the state of its database, how far its feed and its webhooks are behind, whether every pet can be found by its name, and how many keys expire soon. Without the database no key can be checked: once the loss is noticed, the response is 503 `unavailable`, as that of every operation. `/livez` and `/readyz` need no key. Needs the scope `status:read`.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of an event
         * @description Sent to the URL of each webhook, for each event of its types. Verify the signature before you trust the body, as Standard Webhooks describes: it is the base64 of an HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body as it was received, joined by dots. The key is what follows `whsec_` in the secret of the webhook, decoded from base64. Reject a `webhook-timestamp` that is more than 5 minutes away. Respond within 15 seconds. Up to 8 requests are under way at once, and the next begins as soon as one got 2xx: there is no limit on the rate, so that what was missed is caught up fast. A receiver that cannot keep up responds later, or with 429 and `Retry-After`. An event can come more than once, with the same `webhook-id`. The events of one pet come in the order of versions. A type of its own, `webhook.ping`, is sent on request: its `data` is empty, its `subject` is the webhook, and it has no `sequence`.
         */
        post: operations["deliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
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
             * @example cross_site_request
             * @example origin_not_allowed
             * @example pet_not_found
             * @example order_not_found
             * @example webhook_not_found
             * @example category_not_found
             * @example route_not_found
             * @example method_not_allowed
             * @example request_timeout
             * @example idempotency_in_progress
             * @example pet_not_available
             * @example pet_reserved
             * @example order_closed
             * @example too_many_open_orders
             * @example too_many_webhooks
             * @example nothing_to_retry
             * @example too_many_categories
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
             * @example webhooks_not_configured
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
        /** @description How many pets match, up to 1,000. */
        PetCount: {
            /**
             * @description How many pets match: 1,000 at most.
             * @example 2
             */
            count: number;
            /**
             * @description Whether counting stopped at 1,000: `count` then stands for 1,000 or more.
             * @example false
             */
            isMore: boolean;
        };
        /** @description How many pets a category has of each status. Counting stops at 1,000: 1000 stands for 1,000 or more. */
        PetCounts: {
            /**
             * @description How many are `available`.
             * @example 12
             */
            available: number;
            /**
             * @description How many are `pending`.
             * @example 0
             */
            pending: number;
            /**
             * @description How many are `sold`.
             * @example 1000
             */
            sold: number;
            /**
             * @description How many have no status.
             * @example 3
             */
            none: number;
        };
        /** @description What a category is called. */
        NewCategory: {
            /**
             * @description The name of the category: 1 to 100 characters (Unicode code points), at least one of them visible, none a control character. Several categories may have the same name.
             * @example Dog
             */
            name: string;
        };
        /** @description How many pets a category has of each status. Counting stops at 100: 100 stands for 100 or more. `GET /pets/count` counts further. */
        CategoryCounts: {
            /**
             * @description How many are `available`.
             * @example 1
             */
            available: number;
            /**
             * @description How many are `pending`.
             * @example 0
             */
            pending: number;
            /**
             * @description How many are `sold`.
             * @example 2
             */
            sold: number;
            /**
             * @description How many have no status.
             * @example 0
             */
            none: number;
        };
        /** @description The record of a category, which gives it a name. */
        Category: {
            /**
             * Format: int64
             * @description The id of the category: the `categoryId` of its pets.
             * @example 7
             */
            id: bigint;
            /**
             * @description The name of the category: 1 to 100 characters (Unicode code points), at least one of them visible, none a control character. Several categories may have the same name.
             * @example Dog
             */
            name: string;
            /**
             * Format: int64
             * @description The version of the record: 1 when it is added, one more with each change.
             * @example 1
             */
            version: bigint;
            pets?: components["schemas"]["CategoryCounts"];
        };
        /** @description Categories with a name, by ascending id. */
        Categories: components["schemas"]["Category"][];
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
            /**
             * @description The id of the key that placed it. Absent for orders of versions that did not keep it.
             * @example key_0a1B2c3D4e5F6g7H
             */
            placedBy?: string;
            /**
             * @description The id of the key that completed or cancelled it. Absent if it expired or the operator cancelled it.
             * @example key_7H6g5F4e3D2c1B0a
             */
            closedBy?: string;
        };
        /** @description Orders, in the order of `sort`. */
        Orders: components["schemas"]["Order"][];
        /** @description How many orders there are. */
        OrderCount: {
            /**
             * @description How many orders match, up to 1,000.
             * @example 37
             */
            count: number;
            /**
             * @description Whether counting stopped at 1,000: `count` then stands for 1,000 or more.
             * @example false
             */
            isMore: boolean;
        };
        /** @description How many orders ended in each of some periods. */
        OrderCounts: {
            /** @description One count for each period, in the order of `boundaries`. */
            counts: components["schemas"]["OrderCount"][];
        };
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
             * @description The service that the event comes from; of a sandbox, with `#test` at its end.
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
             * @description Its place in the feed: 16 digits, one more than the event before. Absent in the history of a pet. After a restore from a backup, numbers of lost events are used again; `id`s never are.
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
                /** @description What the fields in `changed` were before. Absent from a `pet.updated` event of an earlier version of the service. */
                previous?: {
                    /**
                     * @description Its name before.
                     * @example Rex
                     */
                    name?: string;
                    /**
                     * Format: int64
                     * @description Its category before.
                     * @example 7
                     */
                    categoryId?: bigint;
                    /**
                     * @description Its status before; `null` if it had none.
                     * @example available
                     * @enum {string|null}
                     */
                    status?: "available" | "pending" | "sold" | null;
                };
                /**
                 * @description The API key of the client. Absent where the service itself or its operator acted.
                 * @example key_0a1B2c3D4e5F6g7H
                 */
                keyId?: string;
                /**
                 * Format: int64
                 * @description How many pets an import added.
                 * @example 1000
                 */
                added?: bigint;
                /**
                 * @description The ids of the pets that an import added: each is in one of these ranges, which other pets may be in, too. Ascending, at most 100. Absent if an earlier version of the service has imported some of them.
                 * @example [
                 *       {
                 *         "first": 1001,
                 *         "last": 2000
                 *       }
                 *     ]
                 */
                idRanges?: {
                    /**
                     * Format: int64
                     * @description The lowest id of the range.
                     * @example 1001
                     */
                    first: bigint;
                    /**
                     * Format: int64
                     * @description The highest id of the range.
                     * @example 2000
                     */
                    last: bigint;
                }[];
            };
        };
        /** @description Events, in the order of `sort`. */
        Events: components["schemas"]["Event"][];
        /** @description A webhook to create. Without `types`, it receives all events. */
        NewWebhook: {
            /**
             * @description Where events are sent: a URL with `https`, of at most 2,048 characters, with port 443 or one from 1024, without user, password and fragment. Its host must be public.
             * @example https://shop.example/hooks
             */
            url: string;
            /**
             * @description The types of the events that are sent, each once; `null` for all, also for those that later versions add.
             * @example [
             *       "order.completed",
             *       "order.cancelled"
             *     ]
             */
            types?: ("pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.completed" | "order.cancelled" | "order.expired" | "pets.imported")[] | null;
            /**
             * @description What the webhook is for, for people: 1 to 100 characters (Unicode code points), at least one of them visible, none a control character. Several webhooks may have the same name.
             * @example Accounting
             */
            name?: string;
        };
        /** @description What to change: at least one of these fields. The others stay as they are. */
        WebhookPatch: {
            /**
             * @description Where events are sent: a URL with `https`, of at most 2,048 characters, with port 443 or one from 1024, without user, password and fragment. Its host must be public.
             * @example https://shop.example/hooks
             */
            url?: string;
            /**
             * @description The types of the events that are sent, each once; `null` for all, also for those that later versions add.
             * @example [
             *       "order.completed",
             *       "order.cancelled"
             *     ]
             */
            types?: ("pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.completed" | "order.cancelled" | "order.expired" | "pets.imported")[] | null;
            /**
             * @description What the webhook is for, for people: 1 to 100 characters (Unicode code points), at least one of them visible, none a control character. Several webhooks may have the same name. `null` removes it.
             * @example Accounting
             */
            name?: string | null;
            /**
             * @description `paused` stops deliveries. `active` continues where they stopped, at once, also if the webhook was failing or `disabled`.
             * @example paused
             * @enum {string}
             */
            state?: "active" | "paused";
            /**
             * @description Moves the webhook: the next event is the one after this cursor, which is from the `Link` header of `GET /events`; with `oldest`, the oldest event that is kept; with a time (RFC 3339, such as `2026-11-16T09:30:00Z`), the first event that happened then or later. Moving it back sends events again, with the same ids; moving it forward skips events.
             * @example BAAAAAAAAAAqAAAAAAAAEmc
             */
            cursor?: string;
        };
        /** @description How long the old secret is still used; `{}` for a day. */
        SecretRotation: {
            /**
             * Format: int32
             * @description For how many seconds each delivery is signed with the old secret too.
             * @default 86400
             * @example 3600
             */
            overlap?: number;
        };
        /** @description An attempt to deliver one event. */
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description When the request was sent.
             * @example 2026-11-16T09:30:00.123Z
             */
            at: string;
            /**
             * @description The event that was sent: `webhook-id` of the request. That of a ping begins with `evt_ping_`.
             * @example evt_AAAAAAAAAQAAAAAAAgAGYGFr_VZ4
             */
            eventId: string;
            /**
             * @description The status of the response. Absent if there was none.
             * @example 204
             */
            status?: number;
            /**
             * @description Why it failed. Absent if it succeeded. Until the URL has accepted a first request, one sentence stands for every failure without a response.
             * @example The connection was refused.
             */
            error?: string;
            /**
             * @description How long it took, in milliseconds. 0 for a failure without a response before the URL has accepted a first request.
             * @example 31
             */
            durationMs: number;
            /**
             * @description How the body of a response other than 2xx begins: at most 1,024 bytes, cut at a character, as text. Bytes that are not UTF-8 are U+FFFD, and U+0000 is removed. Kept for the last 20 attempts. Absent if the body is empty, if the attempt succeeded, or if the URL had not accepted a first request before.
             * @example {"error":"out of stock"}
             */
            responseBody?: string;
        };
        /** @description Attempts, newest first. */
        WebhookAttempts: components["schemas"]["WebhookAttempt"][];
        /** @description A URL that events are sent to, and how far it has got in the feed. */
        Webhook: {
            /**
             * @description Identifies the webhook. Opaque and case-sensitive.
             * @example wh_0a1B2c3D4e5F6g7H8i9J
             */
            id: string;
            /**
             * @description What the webhook is for. Absent if it has no name.
             * @example Accounting
             */
            name?: string;
            /**
             * @description Where events are sent: a URL with `https`, of at most 2,048 characters, with port 443 or one from 1024, without user, password and fragment. Its host must be public.
             * @example https://shop.example/hooks
             */
            url: string;
            /**
             * @description The types of the events that are sent, each once; `null` for all, also for those that later versions add.
             * @example [
             *       "order.completed",
             *       "order.cancelled"
             *     ]
             */
            types: ("pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.completed" | "order.cancelled" | "order.expired" | "pets.imported")[] | null;
            /**
             * @description `active`: events are sent. `paused`: a client has stopped it, or the service has, if there is a `reason`. `disabled`: the service has stopped it, since the receiver responded with 410 or has failed for five days.
             * @example active
             * @enum {string}
             */
            state: "active" | "paused" | "disabled";
            /**
             * @description Why the service has paused it: the key in `changedBy`, and each that replaced it by rotation, was revoked, has expired or lacks a scope. `PATCH` with `{"state": "active"}` continues it for your key. Absent otherwise.
             * @example key_revoked
             * @enum {string}
             */
            reason?: "key_revoked" | "key_expired" | "key_scope";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-16T09:00:00.000Z
             */
            createdAt: string;
            /**
             * @description The id of the API key that created it. Absent if the webhook is from before keys were stored.
             * @example key_0a1B2c3D4e5F6g7H
             */
            createdBy?: string;
            /**
             * @description The id of the API key that changed it last, at first the one that created it. The webhook delivers as long as this key, or one that replaced it by rotation, is valid and has the scopes `webhooks:manage` and `events:read`. Absent if the webhook is from before keys were stored.
             * @example key_0a1B2c3D4e5F6g7H
             */
            changedBy?: string;
            /**
             * @description Its place in the feed: all events up to this `sequence` have been delivered.
             * @example 0000000000000042
             */
            sequence: string;
            /**
             * @description How many events, of any type, are in the feed after its place.
             * @example 0
             */
            behind: number;
            /**
             * Format: date-time
             * @description When the first attempt failed. Absent if the last one succeeded.
             * @example 2026-11-16T09:30:00.123Z
             */
            failingSince?: string;
            /**
             * @description How many times it has failed since then.
             * @example 1
             */
            attempts?: number;
            /**
             * Format: date-time
             * @description When it is tried again. Absent if it is not failing.
             * @example 2026-11-16T09:30:05.456Z
             */
            nextAttemptAt?: string;
            lastAttempt?: components["schemas"]["WebhookAttempt"];
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the old secret too. Absent otherwise.
             * @example 2026-11-17T09:30:00.123Z
             */
            oldSecretEndsAt?: string;
        };
        /** @description A webhook with its new secret. */
        WebhookWithSecret: {
            /**
             * @description Identifies the webhook. Opaque and case-sensitive.
             * @example wh_0a1B2c3D4e5F6g7H8i9J
             */
            id: string;
            /**
             * @description What the webhook is for. Absent if it has no name.
             * @example Accounting
             */
            name?: string;
            /**
             * @description Where events are sent: a URL with `https`, of at most 2,048 characters, with port 443 or one from 1024, without user, password and fragment. Its host must be public.
             * @example https://shop.example/hooks
             */
            url: string;
            /**
             * @description The types of the events that are sent, each once; `null` for all, also for those that later versions add.
             * @example [
             *       "order.completed",
             *       "order.cancelled"
             *     ]
             */
            types: ("pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.completed" | "order.cancelled" | "order.expired" | "pets.imported")[] | null;
            /**
             * @description `active`: events are sent. `paused`: a client has stopped it, or the service has, if there is a `reason`. `disabled`: the service has stopped it, since the receiver responded with 410 or has failed for five days.
             * @example active
             * @enum {string}
             */
            state: "active" | "paused" | "disabled";
            /**
             * @description Why the service has paused it: the key in `changedBy`, and each that replaced it by rotation, was revoked, has expired or lacks a scope. `PATCH` with `{"state": "active"}` continues it for your key. Absent otherwise.
             * @example key_revoked
             * @enum {string}
             */
            reason?: "key_revoked" | "key_expired" | "key_scope";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-16T09:00:00.000Z
             */
            createdAt: string;
            /**
             * @description The id of the API key that created it. Absent if the webhook is from before keys were stored.
             * @example key_0a1B2c3D4e5F6g7H
             */
            createdBy?: string;
            /**
             * @description The id of the API key that changed it last, at first the one that created it. The webhook delivers as long as this key, or one that replaced it by rotation, is valid and has the scopes `webhooks:manage` and `events:read`. Absent if the webhook is from before keys were stored.
             * @example key_0a1B2c3D4e5F6g7H
             */
            changedBy?: string;
            /**
             * @description Its place in the feed: all events up to this `sequence` have been delivered.
             * @example 0000000000000042
             */
            sequence: string;
            /**
             * @description How many events, of any type, are in the feed after its place.
             * @example 0
             */
            behind: number;
            /**
             * Format: date-time
             * @description When the first attempt failed. Absent if the last one succeeded.
             * @example 2026-11-16T09:30:00.123Z
             */
            failingSince?: string;
            /**
             * @description How many times it has failed since then.
             * @example 1
             */
            attempts?: number;
            /**
             * Format: date-time
             * @description When it is tried again. Absent if it is not failing.
             * @example 2026-11-16T09:30:05.456Z
             */
            nextAttemptAt?: string;
            lastAttempt?: components["schemas"]["WebhookAttempt"];
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the old secret too. Absent otherwise.
             * @example 2026-11-17T09:30:00.123Z
             */
            oldSecretEndsAt?: string;
            /**
             * @description Verifies the signatures of deliveries. Shown only in this response: store it.
             * @example whsec_YW4gZXhhbXBsZSwgd2hpY2ggc2lnbnMgbm90aGluZy4=
             */
            secret: string;
        };
        /** @description All webhooks, oldest first. */
        Webhooks: components["schemas"]["Webhook"][];
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
             * @description Whether the key starts with petk_live_ or petk_test_. A test key works in the sandbox, if there is one.
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
        /** @description An API key, without its secret, and what it does. */
        ListedKey: {
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
             * @description Whether the key starts with petk_live_ or petk_test_. A test key works in the sandbox, if there is one.
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
            /**
             * @description `active`: it works. `replaced`: it was rotated, and works until it expires. `expired` and `revoked`: it no longer works.
             * @example active
             * @enum {string}
             */
            state: "active" | "replaced" | "expired" | "revoked";
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null if never.
             * @example 2026-11-16T09:30:00.000Z
             */
            lastUsedAt: string | null;
            /**
             * @description How many open orders count against the limit that it shares with the keys it was rotated from and to. Counting stops at 50: 50 stands for 50 or more.
             * @example 12
             */
            openOrders: number;
            /**
             * @description How many open orders it may have: a limit that it shares with the keys it was rotated from and to.
             * @example 1000
             */
            openOrderLimit: number;
            /**
             * @description How many webhooks deliver for this key, or for one that it was rotated from or to, whatever their state.
             * @example 1
             */
            webhooks: number;
            /**
             * Format: int64
             * @description How often it called the deprecated operations that it still uses: those that it called in the last 30 days, counted from its first call. 0 if it called none in that time.
             * @example 0
             */
            deprecatedCalls: bigint;
        };
        /** @description Keys, newest first. */
        ListedKeys: components["schemas"]["ListedKey"][];
        /** @description The name of a key. */
        KeyName: {
            /**
             * @description The id of the key.
             * @example key_0a1B2c3D4e5F6g7H
             */
            id: string;
            /**
             * @description The name that the operator gave it.
             * @example Ben (weekend)
             */
            name: string;
        };
        /** @description The names of the newest keys, newest first: at most 1,000. */
        KeyNames: components["schemas"]["KeyName"][];
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
        /** @description How the service is doing, as the process that responds knows it. */
        Status: {
            /**
             * @description The version of the program. Between releases it ends with `-dev` and the commit.
             * @example 1.1.0
             */
            version: string;
            /**
             * @description The commit that it was built from; `unknown` if the build has not stored it.
             * @example 8f14e45fceea167a5a36dedd4bea2543c1d2e3f4
             */
            commit: string;
            /**
             * Format: date-time
             * @description When this process was started.
             * @example 2026-11-16T06:00:00.000Z
             */
            startedAt: string;
            /** @description Whether this process can use its database. */
            database: {
                /**
                 * @description `ok`: everything works. `lost`: it does not respond. `stalled`: it can be read, but acknowledges no change, since its standby is down. `read_only`: it takes no changes. `schema_outdated`: migrations of this version were not applied. `rights_missing`: the role of the service lacks rights.
                 * @example ok
                 * @enum {string}
                 */
                state: "ok" | "lost" | "stalled" | "read_only" | "schema_outdated" | "rights_missing";
                /**
                 * @description What is wrong and what to do, for the operator. Absent if there is nothing more to say.
                 * @example The database schema is older than this program. Run `petstore migrate`.
                 */
                detail?: string;
            };
            /** @description The feed of events. */
            feed: {
                /**
                 * @description How many milliseconds ago this process last found every event in the feed: below 1000 while events appear as they happen.
                 * @example 200
                 */
                lagMs: number;
            };
            /** @description The search by name. Absent if the database does not respond in time. */
            search?: {
                /**
                 * @description Whether every pet can be found by its name.
                 * @example true
                 */
                isComplete: boolean;
                /**
                 * @description How many of 100 pets can be found by name: below 100 while their words are being made.
                 * @example 100
                 */
                foundPercent: number;
            };
            /** @description The webhooks, by state. Absent if the database does not respond in time. */
            webhooks?: {
                /**
                 * @description How many are active.
                 * @example 2
                 */
                active: number;
                /**
                 * @description How many are paused.
                 * @example 0
                 */
                paused: number;
                /**
                 * @description How many the service has disabled.
                 * @example 1
                 */
                disabled: number;
                /**
                 * @description How many active ones no process has delivered for in the last 30 seconds.
                 * @example 0
                 */
                undelivered: number;
                /**
                 * @description How many events the active one that is the furthest behind has yet to receive.
                 * @example 12
                 */
                behind: number;
            };
            /**
             * @description How many keys expire within 30 days and were not rotated. 1000 stands for 1,000 or more. Absent if the database does not respond in time.
             * @example 3
             */
            expiringKeys?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the logs. Your own Request-Id, if you sent a well-formed one. */
        RequestId: string;
        /** @description The URL of the next page, as `rel="next"`. Absent on the last page. */
        NextLink: string;
        /** @description While the words of names are being made: how many of 100 pets are in the search already. Absent when all are. */
        SearchIncomplete: string;
        /** @description The URL of the new resource. */
        Location: string;
        /** @description `true` if an earlier request with the same Idempotency-Key created it. */
        IdempotentReplayed: string;
        /** @description The version of the pet or the category, in quotes. */
        ETag: string;
        /** @description Identifies this content: send it in `If-None-Match` to get 304 as long as it is the same. */
        ContentETag: string;
        /** @description The media types that a `PATCH` may have. */
        AcceptPatch: string;
        /** @description When your key expires (an HTTP-date). Sent in its last 14 days. Ask the operator for a new one. */
        KeyExpires: string;
        /** @description `test` if your key is one of a sandbox: what it reads and changes is apart from all that live keys see. Absent where there is no sandbox, and for live keys. */
        Mode: string;
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
                 * @example available
                 */
                status?: "available" | "pending" | "sold";
                /**
                 * @description Where the page starts. Opaque: take it from the Link header of the previous page.
                 * @example AQAAAAAAAAAC
                 */
                cursor?: string;
                /**
                 * @description Returns only the pets whose name has, for each of these words, a word that begins with it: `mo` finds Momo and Big Moe. Case and accents do not count. 1 to 8 words, in any script, separated by spaces. The order is that of the words found, then of ids. A page may be short or empty although there are more: follow its `Link`. One page looks at 1,000 words at most. Not together with `id` or `sort`.
                 * @example mo
                 */
                name?: string;
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
                    "Petstore-Search-Incomplete": components["headers"]["SearchIncomplete"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    countPets: {
        parameters: {
            query?: {
                /**
                 * @description Counts only pets with this availability status.
                 * @example available
                 */
                status?: "available" | "pending" | "sold";
                /**
                 * @description Counts only the pets of this category.
                 * @example 7
                 */
                categoryId?: bigint;
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
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PetCount"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    countPetsByStatus: {
        parameters: {
            query: {
                /**
                 * @description The category whose pets are counted.
                 * @example 7
                 */
                categoryId: bigint;
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
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PetCounts"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                 * @description Carries out the request only if the pet or the category has this version: the `ETag` of an earlier response, or `version` in quotes. Several are separated by commas; `*` stands for any. Otherwise the response is 412, with the current `ETag`.
                 * @example "1"
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `If-Match` names another version than the pet or the category has; `ETag` is the current one, if there is one. */
            412: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                 * @description Carries out the request only if the pet or the category has this version: the `ETag` of an earlier response, or `version` in quotes. Several are separated by commas; `*` stands for any. Otherwise the response is 412, with the current `ETag`.
                 * @example "1"
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `If-Match` names another version than the pet or the category has; `ETag` is the current one, if there is one. */
            412: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    listCategories: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of categories returned: at most 20 with `counts=true`.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Where the page starts. Opaque: take it from the Link header of the previous page.
                 * @example CgAAAAAAAAAI
                 */
                cursor?: string;
                /**
                 * @description Returns only categories whose name has all of these words or beginnings of words, 1 to 8 of them, in any case, with or without accents.
                 * @example do
                 */
                name?: string;
                /**
                 * @description Whether each category comes with `pets`: how many it has of each status, where 100 stands for 100 or more.
                 * @example true
                 */
                counts?: boolean;
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
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Categories"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
            /** @description There are more than 1,000 categories with a name, which is too many to search for one by its name. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    putCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Carries out the request only if the pet or the category has this version: the `ETag` of an earlier response, or `version` in quotes. Several are separated by commas; `*` stands for any. Otherwise the response is 412, with the current `ETag`.
                 * @example "1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the category.
                 * @example 7
                 */
                categoryId: bigint;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The category as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description The category has a name from now on. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
            /** @description `If-Match` names another version than the pet or the category has; `ETag` is the current one, if there is one. */
            412: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    deleteCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Carries out the request only if the pet or the category has this version: the `ETag` of an earlier response, or `version` in quotes. Several are separated by commas; `*` stands for any. Otherwise the response is 412, with the current `ETag`.
                 * @example "1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the category.
                 * @example 7
                 */
                categoryId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category has no name any more. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
            /** @description `If-Match` names another version than the pet or the category has; `ETag` is the current one, if there is one. */
            412: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                 * @description The order of the orders: `newest` by when they were placed, newest first; `expiring`, with `status=placed`, by when they expire, soonest first; `closed`, with `status` `completed`, `cancelled` or `expired`, by when they ended, newest first. The last two go neither with `petId` nor with `reference`. A cursor continues only the walk it comes from.
                 * @example newest
                 */
                sort?: "newest" | "expiring" | "closed";
                /**
                 * @description Returns only orders that ended at this time or later: RFC 3339, such as `2026-11-16T00:00:00Z`. Only with `sort=closed`.
                 * @example 2026-11-16T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Returns only orders that ended before this time: RFC 3339, such as `2026-11-17T00:00:00Z`. Only with `sort=closed`.
                 * @example 2026-11-17T00:00:00Z
                 */
                to?: string;
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
            /** @description Another request with the same `Idempotency-Key` was still running when this one reached its deadline. The pet cannot be ordered: it is pending, sold or has no status. The message says which. The key, together with the keys it was rotated from and to, has as many open orders as it may have. The message names the limit. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    countOrders: {
        parameters: {
            query?: {
                /**
                 * @description Counts only orders with this status.
                 * @example placed
                 */
                status?: "placed" | "completed" | "cancelled" | "expired";
                /**
                 * @description Counts only orders that ended at this time or later: RFC 3339, such as `2026-11-16T00:00:00Z`. Only with `status` `completed`, `cancelled` or `expired`.
                 * @example 2026-11-16T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Counts only orders that ended before this time: RFC 3339, such as `2026-11-17T00:00:00Z`. Only with `status` `completed`, `cancelled` or `expired`.
                 * @example 2026-11-17T00:00:00Z
                 */
                to?: string;
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
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCount"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    countOrdersByPeriod: {
        parameters: {
            query: {
                /**
                 * @description Counts only orders that ended in this way.
                 * @example completed
                 */
                status: "completed" | "cancelled" | "expired";
                /**
                 * @description Where the periods begin and end: 2 to 15 times, comma-separated, in ascending order, each RFC 3339, such as `2026-11-16T00:00:00Z`. Each period goes from one of them to before the next. They need not be equally long: the days of a time zone have 23 or 25 hours when its clocks change.
                 * @example [
                 *       "2026-11-16T00:00:00Z",
                 *       "2026-11-17T00:00:00Z",
                 *       "2026-11-18T00:00:00Z"
                 *     ]
                 */
                boundaries: string[];
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
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCounts"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                 * @description The order of the events. `newest` starts with the newest event and leads back to the oldest that is kept; not together with `from` or `wait`. A cursor continues only the walk it comes from.
                 * @example newest
                 */
                sort?: "oldest" | "newest";
                /**
                 * @description Where a walk without a cursor starts: at the oldest event that is kept (`oldest`), after the newest (`now`), or at the first event that happened at a time or later: RFC 3339, such as `2026-11-16T09:30:00Z`.
                 * @example now
                 */
                from?: string;
                /**
                 * @description For how many seconds to wait for an event if there is none. The response comes as soon as there is one. The requests of one key can take a quarter of the places to wait.
                 * @example 9
                 */
                wait?: number;
                /**
                 * @description Returns only events of these types, comma-separated. A page may then be short or empty although there are more: follow its `Link`. One page looks at 1,000 events at most, with `sort=newest` and without `keyId` at 10,000.
                 * @example [
                 *       "order.placed",
                 *       "order.expired"
                 *     ]
                 */
                type?: ("pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.completed" | "order.cancelled" | "order.expired" | "pets.imported")[];
                /**
                 * @description Returns only changes that this key made. A page may then be short or empty although there are more: follow its `Link`. One page looks at 1,000 events at most.
                 * @example key_0a1B2c3D4e5F6g7H
                 */
                keyId?: string;
                /**
                 * @description Returns the history of this pet, by version, also if it was deleted; with `sort=newest`, its newest version first. Not together with `from`, `wait`, `type` or `keyId`.
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
                    "Retry-After": components["headers"]["RetryAfter"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    listWebhooks: {
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
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    createWebhook: {
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
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Webhook created; the body contains its secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
            /** @description Another request with the same `Idempotency-Key` was still running when this one reached its deadline. There are 20 webhooks already, and a store can have no more. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example wh_0a1B2c3D4e5F6g7H8i9J
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhook found. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example wh_0a1B2c3D4e5F6g7H8i9J
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is deleted. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example wh_0a1B2c3D4e5F6g7H8i9J
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["WebhookPatch"];
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example wh_0a1B2c3D4e5F6g7H8i9J
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
            /** @description The body is over 65,536 bytes. */
            413: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    pingWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example wh_0a1B2c3D4e5F6g7H8i9J
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent within some seconds. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    retryWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example wh_0a1B2c3D4e5F6g7H8i9J
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be tried within some seconds. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
            /** @description No delivery of the webhook waits for another attempt: it is not failing, or it is `paused` or `disabled`. The message says which. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    listWebhookAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example wh_0a1B2c3D4e5F6g7H8i9J
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAttempts"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of keys returned.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts. Opaque: take it from the Link header of the previous page.
                 * @example DzdINmc1RjRlM0QyYzFCMGE
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
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedKeys"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    listKeyNames: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier response. As long as the content is the same, the response is 304 without a body. Several are separated by commas.
                 * @example "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ContentETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyNames"];
                };
            };
            /** @description `If-None-Match` has the `ETag` of the content, which is still the same. There is no body. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ContentETag"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description The request contains invalid values. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Petstore-Key-Expires": components["headers"]["KeyExpires"];
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
                    "Petstore-Mode": components["headers"]["Mode"];
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
    deliverEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The `id` of the event, the same in every attempt.
                 * @example evt_AAAAAAAAAQAAAAAAAgAGYGFr_VZ4
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1794821400
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or more signatures, separated by spaces, each with its version. One of them must be yours: while the secret is rotated, there is one for the old and one for the new secret. Skip versions other than `v1`.
                 * @example v1,1O9nJIXKCvkEEyFWwAhLe8JjaI9N8nCGw8q7UXYRuSs=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description The receiver is gone for good: the webhook is disabled, and nothing is sent to it any more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. The body of the response is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received: it is sent again, later and later, and no event after it until then. This goes for redirects too. `Retry-After` up to an hour is honoured. After 5 days the webhook is disabled. The first 1,024 bytes of the body are shown with the attempt. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** The codes that the service is known to return. */
export type KnownErrorCode = 'invalid_json' | 'invalid_body' | 'invalid_parameter' | 'invalid_cursor' | 'invalid_idempotency_key' | 'bad_request' | 'missing_credentials' | 'invalid_credentials' | 'expired_credentials' | 'revoked_credentials' | 'insufficient_scope' | 'cross_site_request' | 'origin_not_allowed' | 'pet_not_found' | 'order_not_found' | 'webhook_not_found' | 'category_not_found' | 'route_not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_in_progress' | 'pet_not_available' | 'pet_reserved' | 'order_closed' | 'too_many_open_orders' | 'too_many_webhooks' | 'nothing_to_retry' | 'too_many_categories' | 'cursor_expired' | 'version_mismatch' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'version_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'overloaded' | 'webhooks_not_configured';

/** The fields of each schema, and of what it contains, that are 64-bit integers. */
export const INT64 = {
  NewPet: ['categoryId'],
  Pet: ['id', 'categoryId'],
  PetRecord: ['id', 'categoryId', 'version'],
  PetPatch: ['categoryId'],
  Category: ['id', 'version'],
  NewOrder: ['petId'],
  Order: ['petId'],
  Event: ['id', 'categoryId', 'version', 'petId', 'added', 'first', 'last'],
  ListedKey: ['deprecatedCalls'],
  DeprecatedUse: ['calls'],
} as const;
