import type { Attack } from './attack.ts'
import { connectionAttacks } from './connection-attacks.ts'
import { floodAttacks } from './flood-attacks.ts'
import { linkAttack } from './link-attack.ts'
import { operationAttacks } from './operation-attacks.ts'

export const attacks: readonly Attack[] = [
  ...operationAttacks,
  ...connectionAttacks,
  linkAttack,
  ...floodAttacks,
]
