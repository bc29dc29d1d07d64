import { describe, expect, test } from 'vitest'
import { ScratchCopy } from '../../support/recipes/recipe.ts'
import { refuelingModel } from '../../support/recipes/refueling-model.ts'
import { vehicleColor } from '../../support/recipes/vehicle-color.ts'

describe('a change that the contributing guide describes', () => {
  test.each([
    ['an optional field of vehicles in two adapters', vehicleColor, 8, 'readonly color?: string'],
    ['a record model with events and routes', refuelingModel, 12, 'listRefuelings: {'],
  ])('works in the whole service: %s', { timeout: 600_000 }, async (_, recipe, maxFiles, generated) => {
    await using copy = await ScratchCopy.make()
    await copy.apply(recipe)
    expect(recipe.edits.length).toBeLessThanOrEqual(maxFiles)
    await copy.run('npm', 'run', '--silent', 'schema')
    await copy.run('npm', 'run', '--silent', 'generate:sdk')
    await copy.run('npx', 'tsc', '--noEmit', '-p', 'sdk')
    expect(await copy.read('sdk/src/generated.ts')).toContain(generated)
    await copy.run(
      'npx',
      'vitest',
      'run',
      '--config',
      'test/vitest.config.ts',
      'test/integration/recipe.test.ts',
    )
  })
})
