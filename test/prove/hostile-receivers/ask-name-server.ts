import { syncBuiltinESMExports } from 'node:module'
import promises, { Resolver } from 'node:dns/promises'

/** Loaded before a program: whatever it asks name servers, it asks the one of the proof. */

const { PROOF_NAME_SERVER } = process.env

class ProofResolver extends Resolver {
  constructor(...options: ConstructorParameters<typeof Resolver>) {
    super(...options)
    if (PROOF_NAME_SERVER) this.setServers([PROOF_NAME_SERVER])
  }
}

Object.assign(promises, { Resolver: ProofResolver })
syncBuiltinESMExports()
