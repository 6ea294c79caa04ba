import type { Document } from '../openapi/types.ts'
import { printJson } from './exact-json.ts'
import type { Field } from './fields.ts'
import { type Guide, markdownTable, nameWith } from './guides.ts'
import type { Body, OperationDoc, Reference } from './reference.ts'
import { callOf } from './samples/call.ts'
import { curl } from './samples/languages.ts'

interface Parts {
  document: Document
  reference: Reference
  guides: Guide[]
  baseUrl: string
}

interface IndexParts extends Parts {
  /** Whether agents may call operations as tools. */
  hasMcp: boolean
}

/** docs.md: the page in Markdown, with the samples for curl. */
export function renderMarkdownFile({ document, reference, guides, baseUrl }: Parts) {
  const { info } = document
  return `${[
    `# ${info.title} API ${info.version}`,
    info.description,
    `Base URL: \`${baseUrl}\`${baseUrl.startsWith('/') ? ', on the host of this file' : ''}. OpenAPI: \`openapi.json\`, beside this file.`,
    ...guides.map(({ title, text }) => `## ${title}\n\n${text.replaceAll(/^## /gm, '### ')}`),
    '## API reference',
    ...reference.entries.map((entry) => operationText(entry, baseUrl)),
    ...reference.deliveries.map(({ summary, description, headers, body, responses }) =>
      sections([
        `### ${summary}`,
        '`POST` to your URL',
        description,
        fieldsText('Headers', headers),
        bodyText('Body', body),
        `Your response:\n\n${markdownTable(
          ['status', 'meaning'],
          responses.map(([status, meaning]) => [status, meaning]),
        )}`,
      ]),
    ),
  ].join('\n\n')}\n`
}

/** llms.txt: an index in the format of llmstxt.org: text before the first heading, then only lists of links. */
export function renderIndexFile({ document, reference, guides, baseUrl, hasMcp }: IndexParts, publicBaseUrl: string) {
  const link = (title: string, section: string) => `- [${title}](${publicBaseUrl}/docs.md#${section})`
  const [summary = ''] = document.info.description.split('\n')
  const mistakes = guides.find(({ id }) => id === 'mistakes')
  const tools = hasMcp ? ` Tools for agents, by the Model Context Protocol: \`${baseUrl}/mcp\`.` : ''
  return `# ${document.info.title} API

> ${summary}

Everything in one file, as Markdown: [docs.md](${publicBaseUrl}/docs.md). The contract: [openapi.json](${publicBaseUrl}/openapi.json).${tools}

${mistakes?.title}:

${mistakes?.text.replaceAll('](#', `](${publicBaseUrl}/docs.md#`)}

## Guides

${guides.map(({ id, title }) => link(title, id)).join('\n')}

## Operations

${reference.entries.map(({ id, method, path, summary: title, badge }) => `${link(`${method} /v1${path}`, id)}: ${title}${badge ? ` (${badge})` : ''}`).join('\n')}
`
}

function operationText(entry: OperationDoc, baseUrl: string) {
  const { summary, method, path, badge, description, parameters, body, success, errors } = entry
  return sections([
    `### ${summary}${badge ? ` (${badge})` : ''}`,
    `\`${method} /v1${path}\``,
    description,
    ...parameters.map(({ title, fields }) => fieldsText(title, fields)),
    body && bodyText('Body', body),
    `\`\`\`bash\n${curl(callOf(entry, baseUrl))}\n\`\`\``,
    `Response ${success.status}: ${success.description}`,
    success.headers.length > 0 &&
      markdownTable(
        ['header', 'meaning'],
        success.headers.map((header) => [nameWith(header.badge, header.name), header.description]),
      ),
    success.fields &&
      success.examples &&
      bodyText(success.title ?? '', { ...success, fields: success.fields, examples: success.examples }),
    errors.length > 0 &&
      markdownTable(
        ['error', 'status', 'message, for example'],
        errors.map(({ code, status, message }) => [`\`${code}\``, String(status), cell(message)]),
      ),
  ])
}

function bodyText(title: string, { fields, examples }: Pick<Body, 'fields' | 'examples'>) {
  return `${fieldsText(title, fields)}\n\n\`\`\`json\n${printJson(examples[0])}\n\`\`\``
}

function fieldsText(title: string, fields: Field[]) {
  const rows = fields.map(({ name, type, required, description, limits, values, badge }) => [
    nameWith(badge, name),
    required ? `${type}, required` : type,
    cell(
      [
        description,
        values.length > 0 ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '',
        limits.join('; '),
      ]
        .filter(Boolean)
        .join(' '),
    ),
  ])
  return `${title}:\n\n${markdownTable(['name', 'type', 'meaning'], rows)}`
}

function cell(text: string) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function sections(parts: (string | false | undefined)[]) {
  return parts.filter(Boolean).join('\n\n')
}
