import type { Queryable } from './database.js';

/**
 * The schema as the catalog has it, one line per column, constraint, index, trigger, sequence and function,
 * partitions left out. It is committed as `migrations/schema.txt`, so that a review sees what a migration leads to.
 */
export async function describeSchema(database: Queryable): Promise<string> {
  const rows = await database.query<{ line: string }>({ name: 'describe-schema', text: DESCRIBE }, []);
  return `${rows.map((row) => row.line).join('\n')}\n`;
}

const DESCRIBE = `
WITH relation AS (
  SELECT c.oid, c.relname AS name, c.relkind AS kind, c.reloptions AS options
    FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND NOT c.relispartition AND c.relname <> 'migrations'
)
SELECT line FROM (
  SELECT name, 0 AS rank, name AS item,
         'table ' || name || coalesce(' partition by ' || pg_get_partkeydef(oid), '')
           || coalesce(' with (' || array_to_string(options, ', ') || ')', '') AS line
    FROM relation WHERE kind IN ('r', 'p')
  UNION ALL
  SELECT r.name, 1, lpad(a.attnum::text, 4, '0'),
         '  column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
           || CASE WHEN a.attidentity = 'a' THEN ' generated always as identity' ELSE '' END
           || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    FROM relation r
    JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
   WHERE r.kind IN ('r', 'p')
  UNION ALL
  SELECT r.name, 2, o.conname, '  constraint ' || o.conname || ' ' || pg_get_constraintdef(o.oid)
    FROM relation r JOIN pg_constraint o ON o.conrelid = r.oid AND o.contype <> 'n'
  UNION ALL
  SELECT r.name, 3, i.indexrelid::regclass::text, '  index ' || pg_get_indexdef(i.indexrelid)
    FROM relation r JOIN pg_index i ON i.indrelid = r.oid
   WHERE NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid)
  UNION ALL
  SELECT r.name, 4, t.tgname,
         '  trigger ' || pg_get_triggerdef(t.oid) || CASE WHEN t.tgenabled = 'A' THEN ' enabled always' ELSE '' END
    FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid
   WHERE NOT t.tgisinternal
  UNION ALL
  SELECT r.name, 5, r.name,
         'sequence ' || r.name || ' ' || s.seqmin || '..' || s.seqmax || CASE WHEN s.seqcycle THEN ' cycle' ELSE '' END
    FROM relation r JOIN pg_sequence s ON s.seqrelid = r.oid
   WHERE NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = r.oid AND p.deptype IN ('a', 'i'))
  UNION ALL
  SELECT p.proname, 6, p.proname,
         'function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ') ' || p.provolatile::text || ' '
           || regexp_replace(trim(p.prosrc), '\\s+', ' ', 'g')
    FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
) described ORDER BY name, rank, item`;
