export const FIRST_NAMES = split(
  'James Maria Robert Linda Michael Patricia David Jennifer William Elizabeth Richard Susan Joseph Karen Thomas ' +
    'Nancy Carlos Rosa Daniel Angela Matthew Denise Anthony Sandra Mark Ashley Luis Carmen Steven Donna Paul ' +
    'Michelle Andrew Tamika Kenneth Amanda Kevin Stephanie Brian Rebecca Jorge Laura Edward Cynthia Ronald ' +
    'Dorothy Timothy Amy Jason Shirley Jeffrey Brenda Ryan Emma Gary Nicole Marcus Helene Etienne Samantha',
)

export const LAST_NAMES = split(
  'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson ' +
    'Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis ' +
    'Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall ' +
    'Rivera Campbell Mitchell Carter Roberts Tremblay Gagnon Roy Singh Patel Kowalski Olsen Schmidt Bouchard ' +
    'Reyes Cook Morgan Bell Murphy Bailey Cooper Richardson Cox Howard Ward Peterson Gray Watson Brooks Kelly',
)

function split(names: string): readonly string[] {
  return names.split(' ')
}
