import type { z } from 'zod'

/**
 * Returns the records that an item of a list contains. An item that cannot be read is returned itself, so that the
 * mapping rejects it and the sync reports it.
 */
export function nestedRecords<Shape extends z.ZodType>(
  shape: Shape,
  item: unknown,
  toRecords: (item: z.infer<Shape>) => readonly unknown[],
): readonly unknown[] {
  const { success, data } = shape.safeParse(item)
  return success ? toRecords(data) : [item]
}
