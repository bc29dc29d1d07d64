import { instant } from '../fields.ts'

/** What is still active ends in 2050. */
const FOREVER = Date.UTC(2050)

export const life = { activeFrom: instant.nullish(), activeTo: instant.nullish() }

/** When it ceased; null where it goes on. */
export const endOf = (activeTo: number | null | undefined): number | null =>
  activeTo == null || activeTo >= FOREVER ? null : activeTo

export const lifeOf = ({
  activeFrom,
  activeTo,
}: {
  activeFrom?: number | null
  activeTo?: number | null
}) => ({
  deletedAt: endOf(activeTo),
  createdAt: activeFrom ?? null,
  updatedAt: null,
})

export const statusOf = (activeTo: number | null | undefined) =>
  endOf(activeTo) === null ? 'active' : 'inactive'

export const plateOf = (state: string | null, number: string | null) =>
  number === null ? null : { state, number }
