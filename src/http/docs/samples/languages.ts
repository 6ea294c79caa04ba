import { type Call, json, python } from './call.ts'
import { typescriptSample } from './typescript.ts'

interface SampleLanguage {
  id: string
  /** For the highlighter, and for fences in Markdown. */
  language: string
  write: (call: Call, baseUrl: string) => string | undefined
}

/** In the order of the tabs. */
const LANGUAGES: SampleLanguage[] = [
  { id: 'curl', language: 'bash', write: curl },
  { id: 'typescript', language: 'typescript', write: typescriptSample },
  { id: 'python', language: 'python', write: pythonSample },
  { id: 'go', language: 'go', write: go },
  { id: 'fetch', language: 'javascript', write: fetchSample },
]

/** A call in every language. */
export function samplesOf(call: Call, baseUrl: string) {
  return LANGUAGES.flatMap(({ id, language, write }) => {
    const code = write(call, baseUrl)
    return code === undefined ? [] : [{ id, language, code }]
  })
}

export function curl({ method, url, headers, body }: Call) {
  const implied = body === undefined ? 'GET' : 'POST'
  return [
    `curl ${method === implied ? '' : `-X ${method} `}"${url}"`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...headers.map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d '${json(body, '  ').replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n  ')
}

function shellText(text: string) {
  return text.includes('"') ? `'${text}'` : `"${text}"`
}

function pythonSample({ method, url, headers, body, hasResponse }: Call) {
  const lines = [
    `"Authorization": f"Bearer {os.environ['PETSTORE_KEY']}",`,
    ...headers.map(([name, value]) => `"${name}": ${value.includes('"') ? `'${value}'` : `"${value}"`},`),
  ]
  return `import ${body !== undefined || hasResponse ? 'json\nimport ' : ''}os
import urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={
${lines.map((line) => `        ${line}`).join('\n')}
    },${body === undefined ? '' : `\n    data=json.dumps(${python(body, '    ')}).encode(),`}
)
with urllib.request.urlopen(request) as response:
    print(response.status${hasResponse ? ', json.load(response)' : ''})`
}

function go({ method, url, headers, body }: Call) {
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"${body === undefined ? '' : '\n\t"strings"'}
)

func main() {
${body === undefined ? '' : `\tbody := strings.NewReader(\`${json(body, '\t')}\`)\n`}	request, err := http.NewRequest("${method}", "${url}", ${body === undefined ? 'nil' : 'body'})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))
${headers.map(([name, value]) => `\trequest.Header.Set("${name}", ${value.includes('"') ? `\`${value}\`` : `"${value}"`})\n`).join('')}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(text))
}`
}

function fetchSample({ method, url, headers, body, hasResponse }: Call) {
  const lines = [
    `Authorization: \`Bearer \${process.env.PETSTORE_KEY}\`,`,
    ...headers.map(([name, value]) => `'${name}': '${value}',`),
  ]
  return `const response = await fetch('${url}', {${method === 'GET' ? '' : `\n  method: '${method}',`}
  headers: {
${lines.map((line) => `    ${line}`).join('\n')}
  },${body === undefined ? '' : `\n  body: \`${json(body, '  ')}\`,`}
})
${hasResponse ? '// As text: JSON.parse would round 64-bit ids.\nconsole.log(response.status, await response.text())' : 'console.log(response.status)'}`
}
