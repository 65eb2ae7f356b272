#!/bin/sh
# Runs once, when the MySQL volume is new: an account that can only read the warehouse, and a database for metadata.
mysql -uroot -p"$MYSQL_ROOT_PASSWORD" <<SQL
CREATE DATABASE IF NOT EXISTS metadata CHARACTER SET utf8mb4;
CREATE USER 'reader'@'%' IDENTIFIED BY '$MYSQL_READER_PASSWORD';
GRANT SELECT, SHOW VIEW ON demo.* TO 'reader'@'%';
SQL
