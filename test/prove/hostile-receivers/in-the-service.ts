import promises, { Resolver } from 'node:dns/promises'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Preloaded module of the service. It resolves names at the proof's name server. Every few seconds it
 * collects garbage and records the memory in use.
 */

const { PROOF_NAME_SERVER, PROOF_MEMORY_NOTES } = process.env
const CLEAR_MS = 3000

class ProofResolver extends Resolver {
  constructor(...options: ConstructorParameters<typeof Resolver>) {
    super(...options)
    if (PROOF_NAME_SERVER) this.setServers([PROOF_NAME_SERVER])
  }
}

Object.assign(promises, { Resolver: ProofResolver })
syncBuiltinESMExports()

setFlagsFromString('--expose-gc')
const clear = runInNewContext('gc') as () => void
setInterval(() => {
  clear()
  const { heapUsed, external } = process.memoryUsage()
  if (PROOF_MEMORY_NOTES) appendFileSync(PROOF_MEMORY_NOTES, `${(heapUsed + external) / 2 ** 20}\n`)
}, CLEAR_MS).unref()
