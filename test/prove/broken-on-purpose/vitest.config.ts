import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

/** Every suite, whether it takes long or not: which of them runs is asked for by name. */
export default defineConfig({
  ...usual,
  test: { ...usual.test, include: ['test/**/*.test.ts'], exclude: [], cache: false, silent: true },
})
