-- PostgreSQL leaves room beside a captured key; here an answer is written with its key, once.
SELECT 1;
