import assert from 'node:assert/strict'
import { type Answer, type Call, postJson } from './app.ts'
import { type RpcResponse, request, toolCall } from './mcp.ts'

type Value = string | number | bigint | boolean | Value[]
/** What a client may send to an operation or a tool. */
export interface Input {
  name: string
  in: 'path' | 'query' | 'header' | 'body' | 'argument'
  required?: boolean
  example?: Value | undefined
  /** Text that is stored as it is. */
  isStored?: boolean
}
/** Values of inputs, by name. */
export type Given = Record<string, Value | undefined>

export interface Sent {
  path: string
  init: { method: string; headers: Record<string, string>; body?: string }
}

/** An operation or a tool, as the service declares it. */
export interface Declared {
  id: string
  isTool: boolean
  inputs: Input[]
  /** The examples of its body. */
  bodies: object[]
  toRequest: (given: Given, body?: object) => Sent
}

interface Schema {
  examples?: Value[]
  enum?: Value[]
}
interface Operation {
  operationId: string
  parameters?: Input[]
  requestBody?: { content: Record<string, { schema: { $ref: string }; examples?: Record<string, { value: object }> }> }
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties: Record<string, Schema> }> }
}
interface Tool {
  name: string
  inputSchema: { properties: Record<string, Schema>; required?: string[] }
  annotations: { readOnlyHint: boolean }
}

const READS_FIRST = ['get', 'patch', 'put', 'post', 'delete']
const STORED = ['name', 'reference']
const TOOLS = '/v1/mcp'

/** Every operation, those that only read first. */
export async function readOperations(call: Call): Promise<Declared[]> {
  const { paths, components } = (await call('/openapi.json')).body as Document
  return Object.entries(paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, { operationId: id, parameters = [], requestBody }]) => {
        const [type = '', content] = Object.entries(requestBody?.content ?? {})[0] ?? []
        const bodies = Object.values(content?.examples ?? {}).map(({ value }) => value)
        const schema = components.schemas[content?.schema.$ref.split('/').at(-1) ?? '']
        const inputs = [...parameters, ...inputsOf(schema?.properties ?? {}, 'body')]
        const toRequest = (given: Given, body = bodies[0]) => {
          const { path, headers, fields } = partsOf(template, inputs, given)
          const whole = body && { ...body, ...fields }
          const init = whole && postJson(whole, { ...headers, 'content-type': type })
          return { path, init: { headers, ...init, method: method.toUpperCase() } as Sent['init'] }
        }
        return { id, method, isTool: false, inputs, bodies, toRequest }
      }),
    )
    .toSorted((a, b) => READS_FIRST.indexOf(a.method) - READS_FIRST.indexOf(b.method))
}

/** Every tool. */
export async function readTools(call: Call, key: string): Promise<Declared[]> {
  const { text } = await call(TOOLS, { ...postJson(request('tools/list')), key })
  const { tools } = (JSON.parse(text) as { result: { tools: Tool[] } }).result
  return tools.map(({ name: id, inputSchema: { properties, required = [] }, annotations }) => ({
    id,
    isTool: true,
    inputs: inputsOf(properties, 'argument').map((input) => ({
      ...input,
      required: required.includes(input.name),
      isStored: !annotations.readOnlyHint && STORED.includes(input.name),
    })),
    bodies: [],
    toRequest: (given) => ({ path: TOOLS, init: postJson(toolCall(id, given)) as Sent['init'] }),
  }))
}

/** What a response shows, be it to a request or to the call of a tool. */
export function readOutcome({ status, text }: Answer, { path }: Sent) {
  if (path !== TOOLS || status >= 300) return { isError: status >= 300, isEmpty: text === '[]' }
  const page = (JSON.parse(text) as RpcResponse).result?.structuredContent
  const [list] = Object.values(page ?? {})
  return { isError: page === undefined, isEmpty: Array.isArray(list) && list.length === 0 }
}

/** What leads to the next page. */
export function nextOf({ headers, text }: Answer, given: Given): Given | undefined {
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  if (link !== undefined) return Object.fromEntries(new URL(link, 'http://x').searchParams)
  const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1]
  return cursor === undefined ? undefined : { ...given, cursor }
}

function inputsOf(properties: Record<string, Schema>, place: 'body' | 'argument'): Input[] {
  return Object.entries(properties).map(([name, { examples, enum: values }]) => ({
    name,
    in: place,
    example: (examples ?? values)?.[0],
  }))
}

function partsOf(template: string, inputs: Input[], given: Given) {
  let path = `/v1${template}`
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const fields: Given = {}
  for (const { name, in: place } of inputs) {
    const value = given[name]
    if (value === undefined) continue
    if (place === 'path') path = path.replace(`{${name}}`, String(value))
    else if (place === 'query') query.append(name, String(value))
    else if (place === 'header') headers[name] = String(value)
    else fields[name] = value
  }
  assert.doesNotMatch(path, /[{}]/)
  return { path: query.size > 0 ? `${path}?${query.toString()}` : path, headers, fields }
}
