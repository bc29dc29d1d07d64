import { parseArgs } from 'node:util'
import { run, type Verdict } from './run.ts'
import { conforms, lineOf, summaryOf } from './table.ts'

/** `npm run conformance -- --url … --key …`: holds any service to the specification, over HTTP. */

const HELP = `Usage: npm run conformance -- --url URL --key KEY [options]

Asks a service for everything that the specification binds it to, prints a line for each check, and ends with 1 when
one that is a MUST does not hold. A service that has POST /connections gets connections to the sandbox provider, on
which the checks that change something are made; they are deleted at the end. Issues of the key's application are
read, and one that is ongoing is resolved.

  --url URL              what stands before /tsp/v1
  --key KEY              a secret key
  --token TOKEN          the token of a connection with data; without it, what reads data fails or is not applied
  --public-token TOKEN   a public token, to be spent by the check of the exchange
  --only TEXT            only checks whose id starts with this, such as 4.9
  --failed               print only what does not hold
  --help                 print this
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

function asked() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    process.stderr.write(`conformance: ${(error as Error).message}\n`)
    return null
  }
}

async function main(): Promise<number> {
  const values = asked()
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
