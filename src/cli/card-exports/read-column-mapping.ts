import { readJsonFile } from '../json-file.ts'
import { builtInMappings, EXPORT_FORMATS } from './built-in-mappings.ts'
import { type ColumnMapping, validateMapping } from './mapping-schema.ts'

/** Returns the built-in mapping with a name, else the mapping in a JSON file. */
export async function readColumnMapping(nameOrFile: string): Promise<ColumnMapping> {
  const builtIn = EXPORT_FORMATS.find((name) => name === nameOrFile)
  return validateMapping(builtIn ? builtInMappings[builtIn] : await readJsonFile(nameOrFile), nameOrFile)
}
