import { endsAsItShould } from '../ends-as-it-should.ts'
import { geotab } from '../geotab-subject.ts'

endsAsItShould(geotab)
