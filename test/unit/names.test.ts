import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** An adapter or a migration may name its parts as the others do. */
const HAS_OWN_NAMES = /^src\/(providers\/[^/]+\/|storage\/migrations\/)/
const SHARED_FOLDERS = /^src\/providers\/(http|mapping|passthrough|rate-limit)\//

const EXPORT =
  /^export (?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|enum) (?<name>\w+)/gm

function exportsIn(folder: string): Map<string, string[]> {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => SHARED_FOLDERS.test(file) || !HAS_OWN_NAMES.test(file))
  const filesByName = new Map<string, string[]>()
  for (const file of files) {
    const names = readFileSync(join(root, file), 'utf8').matchAll(EXPORT)
    for (const name of new Set([...names].map(({ groups }) => String(groups?.['name']))))
      filesByName.set(name, [...(filesByName.get(name) ?? []), file])
  }
  return filesByName
}

describe('an exported name', () => {
  test.each(['src', 'rest-compat', 'sdk/src', 'bench'])('has one meaning in %s', (folder) => {
    const all = exportsIn(folder)
    expect(all.size).toBeGreaterThan(20)
    expect([...all].filter(([, files]) => files.length > 1)).toEqual([])
  })
})
