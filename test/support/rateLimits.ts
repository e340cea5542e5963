import { Effect } from "effect"
import pg from "pg"

/**
 * Rate limits are no subject of a test that makes many calls, and processes whose clocks are hours apart would reject each
 * other's callers: a trigger keeps the counters of all API keys empty, but for those whose limits are the subject.
 */
export const withoutRateLimits = (databaseUrl: string, limitedKeys: ReadonlyArray<string> = []) =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      return client
    }),
    (client) =>
      Effect.promise(() =>
        client.query(`
          CREATE OR REPLACE FUNCTION keep_empty() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            IF split_part(NEW.key, '/', 2) = ANY ('{${limitedKeys.join(",")}}') THEN RETURN NEW; END IF;
            IF TG_OP = 'UPDATE' THEN RETURN NULL; END IF;
            NEW.tat := 0;
            RETURN NEW;
          END $$;
          CREATE OR REPLACE TRIGGER keep_empty BEFORE INSERT OR UPDATE ON rate_buckets FOR EACH ROW EXECUTE FUNCTION keep_empty();
          DELETE FROM rate_buckets`)
      ),
    (client) => Effect.promise(() => client.end())
  )
