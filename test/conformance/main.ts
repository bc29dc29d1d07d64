import { parseArgs } from 'node:util'
import { run, type Verdict } from './run.ts'
import { conforms, lineOf, summaryOf } from './table.ts'

/** `npm run conformance -- --url … --key …`: checks any service against the specification, over HTTP. */

const HELP = `Usage: npm run conformance -- --url URL --key KEY [options]

Checks a service against the specification and prints a line for each check. Exits with 1 if a check of level MUST
fails. If the service has POST /connections, the suite creates connections to the sandbox provider for the checks that
change something, and deletes them at the end. It reads the issues of the key's application, and resolves an ongoing one.

  --url URL              base URL before /tsp/v1
  --key KEY              a secret key
  --token TOKEN          the token of a connection with data; without it, checks that read data fail or are skipped
  --public-token TOKEN   a public token, which the check of the exchange uses up
  --only TEXT            only checks whose id starts with this, such as 4.9
  --failed               print only failed checks
  --help                 print this help
`

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const options = {
  url: text,
  key: text,
  token: text,
  'public-token': text,
  only: text,
  failed: flag,
  help: flag,
} as const

function requested() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    process.stderr.write(`conformance: ${(error as Error).message}\n`)
    return null
  }
}

async function main(): Promise<number> {
  const values = requested()
  if (!values?.url || !values.key || values.help) {
    print(HELP)
    return values?.help ? 0 : 2
  }
  const { url, key, token, only = '' } = values
  const verdicts: Verdict[] = []
  const access = { url, key, token, publicToken: values['public-token'] }
  for await (const verdict of run(access, ({ id }) => id.startsWith(only))) {
    verdicts.push(verdict)
    if (!values.failed || verdict.outcome === 'does not hold') print(lineOf(verdict))
  }
  print(`\n${summaryOf(verdicts)}`)
  return conforms(verdicts) ? 0 : 1
}

process.exitCode = await main()
