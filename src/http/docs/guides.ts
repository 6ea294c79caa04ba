import type { Document } from '../openapi/types.ts'
import { ERRORS } from '../wire/error-codes.ts'
import { html, type Markup, prose } from './html.ts'

interface Guide {
  id: string
  title: string
  body: (baseUrl: string, document: Document) => Markup
}

const copyable = (language: string, code: string) =>
  html`<figure class="code"><figcaption>${language}<button type="button" data-copy>Copy</button></figcaption><pre><code>${code}</code></pre></figure>`

/** What developers need besides the reference, in the order of need. */
export const GUIDES: Guide[] = [
  {
    id: 'getting-started',
    title: 'Getting started',
    body: (baseUrl) => html`
<p>Every request needs an API key. Ask the operator for one, and send it as a bearer token. List the pets:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/pets?limit=5"`)}
<p>Add one. The response contains the assigned <code>id</code>; once you have it, the pet is stored durably.</p>
${copyable(
  'curl',
  `curl -H "Authorization: Bearer $PETSTORE_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Rex", "categoryId": 7, "status": "available"}' "${baseUrl}/pets"`,
)}
<p>From TypeScript, in Node or in a browser, with the package <code>@petstore/client</code>:</p>
${copyable(
  'TypeScript',
  `import { createPetstore } from '@petstore/client'

const { pets } = createPetstore({ baseUrl: '${baseUrl}', key: 'petk_live_…' })

const rex = await pets.create({ name: 'Rex', categoryId: 7n, status: 'available' })
for await (const pet of pets.list({ status: 'available' })) console.log(pet.id, pet.name)`,
)}`,
  },
  {
    id: 'keys',
    title: 'Keys',
    body: (baseUrl) => html`
<p>A key starts with <code>petk_live_</code> or <code>petk_test_</code>. <strong>Test keys work on the same pets as live
keys</strong>: the mode is a label, and there is no separate test data. A service may accept keys of one mode only; the 401 then says which. A key is read from the header
<code>Authorization: Bearer …</code> and from nowhere else: never put it in a URL. It has scopes like
<code>pets:read</code>, usually an expiry, and can be revoked at any time; the <code>code</code> of a 401 says which of these applies. A request
that its scopes don't allow is rejected with 403, which names the scope that is needed. Treat it like a password. If it leaks, ask the operator to revoke it. A request whose URL contains a key is rejected, and the key is
reported to the operator as leaked.</p>
<p>In the last 14 days of a key, every response to it says in <code>Petstore-Key-Expires</code> when it expires. To see what your key
may do, until when, and which key replaced it:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/keys/self"`)}`,
  },
  {
    id: 'pagination',
    title: 'Pagination',
    body: (baseUrl) => html`
<p>A list returns up to <code>limit</code> pets (20 by default, 100 at most). If there are more, the <code>Link</code> header
contains the URL of the next page; if it is absent, this was the last page.</p>
${copyable('Link', `Link: <${baseUrl}/pets?limit=5&cursor=AQAAAAAAAAAF>; rel="next"`)}
<p>Follow the link as it is; the cursor in it is opaque. A walk never returns a pet twice, and returns every pet that
exists and matches for the whole walk exactly once, whatever is added, changed or removed meanwhile. The order is stable. A page
costs the same at any depth.</p>
<p>These parameters are beta, and can be combined with each other and with <code>status</code> and <code>id</code>:
<code>categoryId</code> returns only the pets of one category, <code>sort=newest</code> walks from the newest pet to the oldest, and
<code>view=full</code> adds the <code>version</code> of each pet and the <code>orderId</code> of the order that holds it. The link to
the next page repeats them. A cursor of one <code>sort</code> is rejected in the other.</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/pets?categoryId=7&sort=newest&view=full"`)}
<p>Orders are listed in the same way, newest first. With a filter, a page of orders can be shorter than <code>limit</code>, or empty, and
still have a next page: only a page without <code>Link</code> is the last. <a href="#events">Events</a> have a next page always.</p>`,
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    body: (baseUrl) => html`
<p>A response can get lost on its way to you. To retry safely, send an <code>Idempotency-Key</code>: any text that you use for this
request only.</p>
${copyable(
  'curl',
  `curl -H "Authorization: Bearer $PETSTORE_KEY" -H "Content-Type: application/json" -H "Idempotency-Key: add-rex-1" \\
  -d '{"name": "Rex", "categoryId": 7, "status": "available"}' "${baseUrl}/pets"`,
)}
<p>The same key with the same pet, sent again within 24 hours, returns the same response with
<code>Idempotent-Replayed: true</code>, and nothing is added. The same pet means the same name, category and status, however the
JSON is written; a different one is rejected with 422. While the first request is running, the second waits for it; if that takes
too long, it gets 409 with <code>Retry-After</code>. Rejected requests are not remembered: fix the request and use the key again.
Each API key has its own idempotency keys, and shares them with its successors when it is rotated. Placing an order
accepts one in the same way. The TypeScript client generates one for every pet that it adds and every order that it places.</p>`,
  },
  {
    id: 'versions',
    title: 'Versions',
    body: (baseUrl) => html`
<p>Every pet has a version: 1 when it is added, one more with each change. To change a pet only if it is still as you have read it, send
the version in <code>If-Match</code>:</p>
${copyable(
  'curl',
  `curl -X PATCH -H "Authorization: Bearer $PETSTORE_KEY" -H "Content-Type: application/merge-patch+json" -H 'If-Match: "3"' \\
  -d '{"name": "Rex II", "status": null}' "${baseUrl}/pets/1"`,
)}
<p>The response has the new version, in the body and as <code>ETag</code>. Fields that you leave out stay as they are; a status of
<code>null</code> is removed. If another client has changed the pet meanwhile, the response is 412 with the current <code>ETag</code>, and
nothing is changed: read the pet again and decide again. Without <code>If-Match</code> the last change wins. A pet that is sold becomes
anything else only with <code>If-Match</code>. With <code>If-None-Match: *</code>, the response for
a pet that exists is always 412. Changing and deleting pets is beta, and needs a key with the scope
<code>pets:edit</code> or <code>pets:delete</code>.</p>`,
  },
  {
    id: 'selling',
    title: 'Selling pets',
    body: (baseUrl) => html`
<p>An order reserves one pet that is <code>available</code>. Orders are beta, and need a key with the scopes <code>orders:read</code> and
<code>orders:write</code>.</p>
${copyable(
  'curl',
  `curl -H "Authorization: Bearer $PETSTORE_KEY" -H "Content-Type: application/json" -H "Idempotency-Key: basket-4711-rex" \\
  -d '{"petId": 1, "expiresIn": 600, "reference": "basket-4711"}' "${baseUrl}/store/orders"`,
)}
<div class="wide"><table><thead><tr><th>the order</th><th>how</th><th>its pet</th></tr></thead><tbody>
<tr><td><code>placed</code></td><td>by placing it</td><td><code>pending</code>: it cannot be ordered or deleted, nor its status changed</td></tr>
<tr><td><code>completed</code></td><td><code>POST …/{orderId}/complete</code></td><td><code>sold</code></td></tr>
<tr><td><code>cancelled</code></td><td><code>POST …/{orderId}/cancel</code></td><td><code>available</code> again</td></tr>
<tr><td><code>expired</code></td><td>by the service, at <code>expiresAt</code> or some seconds later</td><td><code>available</code> again</td></tr>
</tbody></table></div>
<p><strong>One buyer wins.</strong> Of any number of orders for one pet, one is placed; the others get 409
<code>pet_not_available</code>. <strong>An order ends once.</strong> Completing, cancelling and expiry exclude each other: a request that
comes too late gets 409 <code>order_closed</code>, which says how and when the order ended. Repeating a request that succeeded returns
the same order.</p>
<p>To take money, use a payment provider that can authorise an amount first and capture it later:</p>
<ol><li>Place the order, with an <code>expiresIn</code> longer than the buyer may take to pay.</li>
<li>Authorise the amount at the provider.</li>
<li>Complete the order. After 200 the pet belongs to this buyer; after 409 void the authorisation. If there is no response, or a 503,
complete again until it is one of these.</li>
<li>Capture the amount. Never capture before the order is completed.</li></ol>
<p>A completed order stays <code>completed</code>. To take back a sale, first void the authorisation or refund the buyer, then set the
pet’s status to <code>available</code>, with its version in <code>If-Match</code> (see <a href="#versions">Versions</a>). Every key with
<code>orders:write</code> can complete and cancel every order, and every key with <code>orders:read</code> sees every
<code>reference</code>: keep keys on a server, and put no secret into a reference.</p>`,
  },
  {
    id: 'events',
    title: 'Following changes',
    body: (baseUrl) => html`
<p>Every change of a pet is an event, and all events are in one feed, in an order that never changes. Events are beta, and need a key with
the scope <code>events:read</code>.</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/events?limit=100&wait=9"`)}
<p>Follow the <code>Link</code> header of each page, also of an empty one: the feed has no end. With <code>wait</code>, the service
responds as soon as there is an event, or with an empty page after that many seconds. Store the link together with what you made of the
page: after a crash you continue there, and miss nothing. Each event contains the pet after the change with its <code>version</code>,
and the order if one changed. Ignore types and fields that you don’t know.</p>
<p>To keep a copy of all pets:</p>
<ol><li>Get the end of the feed with <code>from=now</code>, and keep its link.</li>
<li>Walk through <code>GET /pets?view=full</code>, and store each pet.</li>
<li>Follow the link. Take <code>data.pet</code> if its version is higher than yours, drop the pet on <code>pet.deleted</code>, and walk
again on <code>pets.imported</code>.</li>
<li>On 410 <code>cursor_expired</code>, start over: your cursor is too old, or the store was restored.</li></ol>
<p>The history of one pet, also after it was deleted:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/events?petId=1"`)}`,
  },
  {
    id: 'limits',
    title: 'Rate limits',
    body: () => html`
<p>A key may have a rate limit. Then every response says what it is, and how much of it is left:</p>
${copyable('headers', 'RateLimit-Policy: "default";q=100;w=1\nRateLimit: "default";r=41;t=1')}
<p>Here the limit is 100 requests per second; 41 are left, and it resets within one second. Requests over the limit are rejected
with 429 before they start; <code>Retry-After</code> says when to try again. The TypeScript client retries automatically. Too many
requests with a wrong key can block the IP address they came from for a while, in the same way.</p>`,
  },
  {
    id: 'int64',
    title: '64-bit ids',
    body: () => html`
<p><code>id</code>, <code>categoryId</code> and <code>petId</code> are 64-bit integers, sent as bare JSON numbers, exact to the
last digit: the largest is <strong>9223372036854775807</strong>. JavaScript’s <code>JSON.parse</code> reads it as
9223372036854775808. Use the TypeScript client, which returns <code>bigint</code>, or a parser that keeps all digits.
Assigned ids stay below 2<sup>53</sup>, so any parser reads those correctly; a <code>categoryId</code> is whatever you sent.</p>`,
  },
  {
    id: 'errors',
    title: 'Errors',
    body: () => html`
<p>Every response that is not a success has the same body: <code>code</code> for programs, <code>message</code> for people,
<code>status</code> as in HTTP. New codes may be added, so handle unknown ones by their status. Include the
<code>Request-Id</code> of the response when you ask about a request.</p>
<div class="wide"><table><thead><tr><th>status</th><th>code</th><th>what it means</th><th>what to do</th></tr></thead>
<tbody>${Object.entries(ERRORS).map(
      ([code, { status, means, todo }]) =>
        html`<tr><td>${status}</td><td><code>${code}</code></td><td>${prose(means)}</td><td>${prose(todo)}</td></tr>`,
    )}</tbody></table></div>`,
  },
  {
    id: 'get-pet',
    title: 'Deprecation of getPet',
    body: (baseUrl, { paths }) => html`
<p><code>GET /pets/{petId}</code> is deprecated and will be removed on ${paths['/pets/{petId}']?.['get']?.['x-sunset']}. Until then it works unchanged; its responses carry
<code>Deprecation</code>, <code>Sunset</code> and a <code>Link</code> to its replacement:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/pets?id=1,2,3"`)}
<p>The <code>id</code> filter takes up to 100 ids and is beta. A pet that does not exist is left out of the response. To see how
often your key still calls deprecated operations, and when it last did:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/deprecations"`)}`,
  },
]
