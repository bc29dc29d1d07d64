import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { proofs } from './proofs.ts'

const USAGE = `Usage: npm run prove -- NAME [options]   runs a proof; NAME --help shows its options
       npm run prove -- --all            runs each with --short
       npm run prove -- --list           shows their names

A proof prints its figures and ends with 0 where all holds, else with 1.`

const [name = '', ...args] = process.argv.slice(2)

if (name === '--help') console.log(USAGE)
else if (name === '--list')
  for (const { name: known, description } of proofs) console.log(`${known.padEnd(18)} ${description}`)
else process.exitCode = name === '--all' ? await runAll() : await run(name)

async function run(requested: string): Promise<number> {
  const proof = proofs.find((known) => known.name === requested)
  if (!proof) {
    console.error(USAGE)
    return 2
  }
  const failures = await proof.run(args)
  if (failures === null) return 0
  for (const failure of failures) console.error(`FAILED ${failure}`)
  console.log(failures.length === 0 ? `${proof.name}: holds` : `${proof.name}: does not hold`)
  return failures.length === 0 ? 0 : 1
}

/** Runs each proof in a separate process, one after the other. */
async function runAll(): Promise<number> {
  const results: string[] = []
  let failed = 0
  for (const { name: each, needs } of proofs) {
    if (needs !== undefined) {
      results.push(`left out         ${each}: it needs ${needs}`)
      continue
    }
    console.log(`\n== ${each}`)
    const begun = performance.now()
    const child = spawn(process.execPath, [import.meta.filename, each, '--short', ...args], {
      stdio: 'inherit',
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) failed += 1
    const seconds = ((performance.now() - begun) / 1000).toFixed(0).padStart(5)
    results.push(`${code === 0 ? 'holds         ' : 'does not hold '} ${seconds} s  ${each}`)
  }
  console.log(`\n${results.join('\n')}`)
  return failed === 0 ? 0 : 1
}
