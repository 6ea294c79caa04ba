import { SUNSET } from '../deprecation.ts'
import { STATUS_OF } from '../errors.ts'
import { ERROR_GUIDE } from './errors.ts'
import { html, type Markup, prose } from './html.ts'

interface Guide {
  id: string
  title: string
  body: (baseUrl: string) => Markup
}

const copyable = (language: string, code: string) =>
  html`<figure class="code"><figcaption>${language}<button type="button" data-copy>Copy</button></figcaption><pre><code>${code}</code></pre></figure>`

/** What a caller wants to know beside the reference, in the order of need. */
export const GUIDES: Guide[] = [
  {
    id: 'getting-started',
    title: 'Getting started',
    body: (baseUrl) => html`
<p>Every call needs an API key. Ask the operator for one, and send it as a bearer token. List the animals:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/pets?limit=5"`)}
<p>Add one. The answer carries the <code>id</code> it was given; when you have it, the animal is stored durably.</p>
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
<p>A key begins with <code>petk_live_</code> or <code>petk_test_</code>. It is read from the header
<code>Authorization: Bearer …</code> and from nowhere else: never put it into an address. It has scopes
(<code>pets:read</code>, <code>pets:write</code>), usually an end, and can be revoked at any moment; the four codes of 401
tell these cases apart. Treat it like a password. If it got out, ask the operator to revoke it. A call whose address holds a
key is refused, whatever else is right about it, and the operator is told.</p>
<p>In the last 14 days of a key, every answer to it says in <code>Petstore-Key-Expires</code> when it ends. What your key may
do, until when, and by which one it was replaced:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/keys/self"`)}`,
  },
  {
    id: 'pagination',
    title: 'Pagination',
    body: (baseUrl) => html`
<p>A list returns up to <code>limit</code> animals (20 unless you say otherwise, 100 at most). When more follow, the
<code>Link</code> header holds the address of the next page; when it is absent, you have seen them all.</p>
${copyable('Link', `Link: <${baseUrl}/pets?limit=5&cursor=AQAAAAAAAAAF>; rel="next"`)}
<p>Follow the link as it is; the cursor in it is opaque. A walk never returns an animal twice, and returns every animal that
exists and matches all the while exactly once, whatever is added, changed or removed meanwhile. The order is stable. A page
costs the same at any depth.</p>`,
  },
  {
    id: 'idempotency',
    title: 'Adding once',
    body: (baseUrl) => html`
<p>An answer can get lost on its way to you. To be able to add an animal again without adding two, give the call a key, any
text that you use for this one only:</p>
${copyable(
  'curl',
  `curl -H "Authorization: Bearer $PETSTORE_KEY" -H "Content-Type: application/json" -H "Idempotency-Key: order-4711" \\
  -d '{"name": "Rex", "categoryId": 7, "status": "available"}' "${baseUrl}/pets"`,
)}
<p>Whoever sends the same key and the same animal again within 24 hours gets the same answer, with
<code>Idempotent-Replayed: true</code>, and nothing is added. The same animal is one with the same name, category and status,
however its JSON is written; another one is refused with 422. While the first call is under way, the second waits for it; if
that takes too long, 409 says when to come back. What was refused is not remembered: mend the call and use the key again. Each
API key has keys of its own. The client makes one for every call.</p>`,
  },
  {
    id: 'limits',
    title: 'Rate limits',
    body: () => html`
<p>A key may have a limit. Then every answer tells what it is, and what is left of it:</p>
${copyable('headers', 'RateLimit-Policy: "default";q=100;w=1\nRateLimit: "default";r=41;t=1')}
<p>Here a hundred calls may be made in each second; 41 are left, and all of them again in a second at most. Beyond that, calls are
refused with 429, and were not begun; <code>Retry-After</code> says when to come back. The client does so by itself. Too many calls
without a valid key may bar the address they came from for a while, in the same way.</p>`,
  },
  {
    id: 'int64',
    title: 'Identifiers of 64 bits',
    body: () => html`
<p><code>id</code>, <code>categoryId</code> and <code>petId</code> are 64-bit integers, sent as bare JSON numbers, exact to the
last digit: the largest is <strong>9223372036854775807</strong>. JavaScript’s <code>JSON.parse</code> would read it as
9223372036854775808. Use the client, which gives you <code>bigint</code>, or a parser that keeps all digits.
Assigned ids stay below 2<sup>53</sup>, so that a careless parser still reads those right; a <code>categoryId</code> is
whatever you sent.</p>`,
  },
  {
    id: 'errors',
    title: 'Errors',
    body: () => html`
<p>Every answer that is not a success has the same body: <code>code</code> for programs, <code>message</code> for people,
<code>status</code> as in HTTP. Quote the <code>Request-Id</code> of the answer when you ask about a call.</p>
<div class="wide"><table><thead><tr><th>status</th><th>code</th><th>what it means</th><th>what to do</th></tr></thead>
<tbody>${Object.entries(ERROR_GUIDE).map(
      ([code, [means, todo]]) =>
        html`<tr><td>${STATUS_OF[code as keyof typeof STATUS_OF]}</td><td><code>${code}</code></td><td>${prose(means)}</td><td>${prose(todo)}</td></tr>`,
    )}</tbody></table></div>`,
  },
  {
    id: 'get-pet',
    title: 'Deprecation of getPet',
    body: (baseUrl) => html`
<p><code>GET /pets/{petId}</code> is deprecated and goes away on ${SUNSET}. Until then it works as ever; its answers carry
<code>Deprecation</code>, <code>Sunset</code> and a <code>Link</code> to what replaces it:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/pets?id=1,2,3"`)}
<p>The filter <code>id</code> takes up to 100 identifiers and is marked beta. An animal that does not exist is simply not in
the answer. How often your key still calls what is deprecated, and when it last did:</p>
${copyable('curl', `curl -H "Authorization: Bearer $PETSTORE_KEY" "${baseUrl}/deprecations"`)}`,
  },
]
