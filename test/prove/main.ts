import { proofs } from './proofs.ts'

/** `npm run prove -- NAME [options]`: a proof prints its figures and ends with 0 or 1. */

const [name, ...args] = process.argv.slice(2)
const proof = proofs.find((known) => known.name === name)

if (name === '--list') for (const { name: known, says } of proofs) console.log(`${known.padEnd(16)}${says}`)
else if (!proof) {
  console.error(`Usage: npm run prove -- NAME [options]; --list shows the names, NAME --help its options`)
  process.exitCode = 2
} else {
  const failures = await proof.run(args)
  for (const failure of failures) console.error(`FAILED ${failure}`)
  console.log(failures.length === 0 ? `${proof.name}: holds` : `${proof.name}: does not hold`)
  process.exitCode = failures.length === 0 ? 0 : 1
}
