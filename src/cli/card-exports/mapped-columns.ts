import { CliError } from '../cli-error.ts'
import { lettersOfColumn, requireCommas, requireKnownColumns } from '../csv.ts'
import {
  type ColumnMapping,
  IDENTIFYING_MEMBERS,
  MAPPED_MEMBERS,
  type MappedMember,
} from './mapping-schema.ts'

/** The columns of a file that give each member. */
export type MappedColumns = ReadonlyMap<MappedMember, readonly string[]>

/**
 * Finds the columns of a mapping in the header of a file. Case, spaces, hyphens and underscores do not count. Throws if a
 * required column is missing, or a column is there twice.
 */
export function mappedColumns(
  file: string,
  header: readonly string[],
  { columns, required, otherColumns }: ColumnMapping,
): MappedColumns {
  if (header.some((name) => LONG_NUMBER.test(name)))
    throw new CliError(`${file} must name the columns in its first line. See --help`)
  if (otherColumns === 'refused') requireKnownColumns(file, header, Object.values(columns).flat())
  if (header.length === 0) throw new CliError(`${file} is empty`)
  const found = new Map<MappedMember, readonly string[]>()
  for (const member of MAPPED_MEMBERS) {
    const names = (columns[member] ?? []).flatMap((name) => columnOf(file, header, name) ?? [])
    if (names.length > 0) found.set(member, names)
  }
  const missing = MAPPED_MEMBERS.filter(
    (member) => columns[member] && !found.has(member) && (required?.includes(member) ?? true),
  )
  if (missing.length > 0) {
    requireCommas(file, header)
    const names = missing.map((member) => `${columns[member]?.join(' or ')} (${member})`)
    throw new CliError(`${file} has no columns ${names.join(', ')}. See --help`)
  }
  if (!IDENTIFYING_MEMBERS.some((member) => found.has(member)))
    throw new CliError(`${file} has no column of a vehicle or a card. See --help`)
  return found
}

/** A row of purchases has one. It may be a card number, so no error must repeat it. */
const LONG_NUMBER = /(?:\d[ .-]?){8}/

function columnOf(file: string, header: readonly string[], name: string): string | undefined {
  const [column, ...others] = header.filter((each) => lettersOfColumn(each) === lettersOfColumn(name))
  if (others.length > 0) throw new CliError(`${file} has the column ${name} twice`)
  return column
}
