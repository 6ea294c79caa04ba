import { spawnSync } from 'node:child_process'

// Asks the registry for known vulnerabilities of what runs in production. The policy is in docs/dependencies.md: exit code 1 for one
// that is high or critical. A registry that does not respond is reported, and fails nothing.

const FAILING = ['high', 'critical']
const TIME_LIMIT_S = 60

interface Report {
  auditReportVersion: number
  vulnerabilities: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>
}

const seconds = Number(process.argv[2] ?? TIME_LIMIT_S)
const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  timeout: seconds * 1_000,
})
const report = reportIn(stdout)
if (report) process.exitCode = printReport(report)
else
  console.log(
    `npm audit: no response from the registry (${error ? `within ${seconds} s` : reasonIn(stdout)}); nothing was checked.`,
  )

function printReport({ vulnerabilities }: Report) {
  for (const [name, { severity, via }] of Object.entries(vulnerabilities)) {
    const advisories = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} (${cause.url})`))
    console.log(`npm audit: ${severity}: ${name}: ${advisories.join('; ')}`)
  }
  const failing = Object.values(vulnerabilities).filter(({ severity }) => FAILING.includes(severity)).length
  console.log(`npm audit: ${failing} packages at run time with a high or critical vulnerability.`)
  return failing === 0 ? 0 : 1
}

function reportIn(text: string) {
  const value = parsed(text) as Report | undefined
  return value?.auditReportVersion === 2 ? value : undefined
}

function reasonIn(text: string) {
  const { statusCode, message } = (parsed(text) ?? {}) as { statusCode?: number; message?: string }
  return statusCode === undefined ? (message ?? 'no report') : `status ${statusCode}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // npm was ended by the time limit, or could not even start
  }
}
