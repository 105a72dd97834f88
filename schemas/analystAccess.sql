-- The user of one tier on a server that keeps users itself; carried out statement by statement, again whenever a process starts, and then changes what differs.
-- {{analyst}} is user, role, profile and quota; {{settings}} its settings; {{sha256}} of its password; {{published}} the database it may read.
CREATE SETTINGS PROFILE IF NOT EXISTS {{analyst}};
ALTER SETTINGS PROFILE {{analyst}} SETTINGS {{settings}};
CREATE ROLE IF NOT EXISTS {{analyst}};
GRANT SELECT ON {{published}}.* TO {{analyst}};
CREATE USER IF NOT EXISTS {{analyst}}_user IDENTIFIED WITH sha256_hash BY '{{sha256}}';
ALTER USER {{analyst}}_user IDENTIFIED WITH sha256_hash BY '{{sha256}}' SETTINGS PROFILE {{analyst}};
GRANT {{analyst}} TO {{analyst}}_user;
CREATE QUOTA IF NOT EXISTS {{analyst}} KEYED BY client_key, user_name FOR INTERVAL 1 hour MAX queries = {{queries}}, read_rows = {{read_rows}}, execution_time = {{seconds}} TO {{analyst}}_user;
ALTER QUOTA {{analyst}} KEYED BY client_key, user_name FOR INTERVAL 1 hour MAX queries = {{queries}}, read_rows = {{read_rows}}, execution_time = {{seconds}} TO {{analyst}}_user;
