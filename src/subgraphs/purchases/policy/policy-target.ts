/** Kinds of what a policy can be for. A later kind overrides an earlier one. */
const targetKinds = ['application', 'tag', 'connection', 'group', 'vehicle'] as const

type TargetKind = (typeof targetKinds)[number]

/** Target of the policy of a whole application. */
export const APPLICATION_TARGET = 'application:'

/** Returns the text that stands for a target in the database, such as `tag:west`. */
export const targetOf = (kind: TargetKind, value: string): string => `${kind}:${value}`

/** Returns the value of a target if it is of this kind, else null. */
export const valueOfTarget = (target: string, kind: TargetKind): string | null =>
  target.startsWith(`${kind}:`) ? target.slice(kind.length + 1) : null

/** Returns the place of a target's kind in `targetKinds`. */
export const rankOfTarget = (target: string): number =>
  targetKinds.findIndex((kind) => target.startsWith(`${kind}:`))

interface TargetedVehicle {
  readonly vehicleId: string
  readonly groupIds: readonly string[]
  readonly connection: { readonly id: string; readonly tags: readonly string[] }
}

/** Returns the targets whose policies apply to a vehicle. */
export const targetsOf = ({ vehicleId, groupIds, connection }: TargetedVehicle): readonly string[] => [
  APPLICATION_TARGET,
  ...connection.tags.map((tag) => targetOf('tag', tag)),
  targetOf('connection', connection.id),
  ...groupIds.map((id) => targetOf('group', id)),
  targetOf('vehicle', vehicleId),
]
